// SPDX-License-Identifier: Apache-2.0

private struct Refused: Error {}

extension Call {
  /// The continuation of a task that waits already is resumed between two lines, and the task logs x.
  static let continuations: [Call] = [
    Call("CheckedContinuation Never.resume()", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let waiter = parked {
        await withCheckedContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume()
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Never.resume(returning)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let waiter = parked {
        await withCheckedContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(returning: ())
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Never.resume(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let waiter = parked {
        await withCheckedContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .success(()))
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Never, resumed before it waits", "abx", rules: "a<b a<x", places: [.body]) { _, log in
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Task.detached {
          log("a")
          continuation.resume()
          log("b")
        }
      }
      log("x")
      while log.outcome.utf8.count < 3 { await Task.yield() }
    }.copy(bystander: false),
    Call("CheckedContinuation Error.resume()", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withCheckedThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume()
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Error.resume(returning)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withCheckedThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(returning: ())
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Error.resume(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withCheckedThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .success(()))
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Error.resume(throwing: error)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withCheckedThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(throwing: Refused())
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Error.resume(with: .failure(error))", "abx", rules: "a<b a<x") { _, log in
      let box = Box<CheckedContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withCheckedThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .failure(Refused()))
      log("b")
      await waiter.value
    },
    Call("CheckedContinuation Error, resumed before it waits", "abx", rules: "a<b a<x", places: [.body]) { _, log in
      try? await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Task.detached {
          log("a")
          continuation.resume()
          log("b")
        }
      }
      log("x")
      while log.outcome.utf8.count < 3 { await Task.yield() }
    }.copy(bystander: false),
    Call("UnsafeContinuation Never.resume()", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, Never>>()
      let waiter = parked {
        await withUnsafeContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume()
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Never.resume(returning)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, Never>>()
      let waiter = parked {
        await withUnsafeContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(returning: ())
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Never.resume(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, Never>>()
      let waiter = parked {
        await withUnsafeContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .success(()))
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Never, resumed before it waits", "abx", rules: "a<b a<x", places: [.body]) { _, log in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        Task.detached {
          log("a")
          continuation.resume()
          log("b")
        }
      }
      log("x")
      while log.outcome.utf8.count < 3 { await Task.yield() }
    }.copy(bystander: false),
    Call("UnsafeContinuation Error.resume()", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withUnsafeThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume()
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Error.resume(returning)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withUnsafeThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(returning: ())
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Error.resume(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withUnsafeThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .success(()))
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Error.resume(throwing: error)", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withUnsafeThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(throwing: Refused())
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Error.resume(with: .failure(error))", "abx", rules: "a<b a<x") { _, log in
      let box = Box<UnsafeContinuation<Void, any Error>>()
      let waiter = parked {
        try? await withUnsafeThrowingContinuation { box.put($0) }
        log("x")
      }
      let continuation = box.take()!
      log("a")
      continuation.resume(with: .failure(Refused()))
      log("b")
      await waiter.value
    },
    Call("UnsafeContinuation Error, resumed before it waits", "abx", rules: "a<b a<x", places: [.body]) { _, log in
      try? await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
        Task.detached {
          log("a")
          continuation.resume()
          log("b")
        }
      }
      log("x")
      while log.outcome.utf8.count < 3 { await Task.yield() }
    }.copy(bystander: false),
    Call("two continuations", "abcxz", rules: "a<b b<c a<x b<z", bystander: false) { _, log in
      let (one, two) = (Box<CheckedContinuation<Void, Never>>(), Box<CheckedContinuation<Void, Never>>())
      let first = parked {
        await withCheckedContinuation { one.put($0) }
        log("x")
      }
      let second = parked {
        await withCheckedContinuation { two.put($0) }
        log("z")
      }
      log("a")
      one.take()!.resume()
      log("b")
      two.take()!.resume()
      log("c")
      await first.value
      await second.value
    },
  ]
}
