// SPDX-License-Identifier: Apache-2.0

extension Call {
  /// Ways to cancel a task: before it has begun, while it waits in a handler (h), and what it sees (1 for cancelled, 0).
  static let cancels: [Call] = [
    Call("cancel, not begun", "ab1", "ab0", rules: "a<b a<1") { _, log in
      let task = Task.detached { log(Task.isCancelled ? "1" : "0") }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("cancel, own actor's task", "ab1", "ab0", rules: "a<b a<1", serial: "b<1 b<0") { place, log in
      let task = Task {
        _ = place
        log(Task.isCancelled ? "1" : "0")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    }.never("0", where: \.isSerial),
    Call("made and cancelled", "b1", "b0", rules: "") { _, log in
      let task = Task.detached { log(Task.isCancelled ? "1" : "0") }
      task.cancel()
      log("b")
      await task.value
    },
    Call("async let made and cancelled", "x1", "x0", rules: "") { _, log in
      async let child: Void = log(Task.isCancelled ? "1" : "0")
      withUnsafeCurrentTask { $0?.cancel() }
      log("x")
      await child
    },
    Call("cancel, effect behind the check", "abfe", "abf", rules: "a<b f<e") { _, log in
      let task = Task.detached {
        log("f")
        if !Task.isCancelled { log("e") }
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    }.apart(isAskedLate),
    Call("cancel, checkCancellation", "abfe", "abf", rules: "a<b f<e") { _, log in
      let task = Task.detached {
        log("f")
        guard (try? Task.checkCancellation()) != nil else { return }
        log("e")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    }.apart(isAskedLate),
    Call("cancel, handler", "abhx", rules: "a<h h<b h<x") { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let task = parked { await parkedChild(box, log) }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("cancel, handler added meanwhile", "abhx", "abx", rules: "a<b a<h h<x") { _, log in
      let task = Task.detached {
        await withTaskCancellationHandler {
        } onCancel: {
          log("h")
        }
        log("x")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("cancel, operation of a handler", "abhox", "abox", rules: "a<b a<h o<x", bystander: false) { _, log in
      let task = Task.detached {
        await withTaskCancellationHandler {
          log("o")
        } onCancel: {
          log("h")
        }
        log("x")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("cancel, handler finds nothing", "abh1", "abh0", rules: "a<b a<h", bystander: false) { _, log in
      let box = Box<Bool>()
      let task = Task.detached {
        await withTaskCancellationHandler {
          box.put(true)
          if Task.isCancelled { _ = box.take() }
        } onCancel: {
          log("h")
          log(box.take() == nil ? "0" : "1")
        }
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    }.copy(lines: ["abh1", "abh0", "ab"], rules: "a<b a<h h<0 h<1").apart { outcome in
      // The handler calls nothing between its two lines.
      outcome.contains("h") && !outcome.contains("h0") && !outcome.contains("h1")
    },
    Call("cancel, two handlers", "abhkx", rules: "a<h h<x k<x h<b k<b k<h", bystander: true) { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let task = parked {
        await withTaskCancellationHandler {
          await withTaskCancellationHandler {
            await withCheckedContinuation { box.put($0) }
          } onCancel: {
            log("k")
          }
        } onCancel: {
          log("h")
          box.take()?.resume()
        }
        log("x")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("cancel, children's handlers", "abhkxz", rules: "a<h a<k h<b k<b h<x k<z", bystander: false) { _, log in
      let (one, two) = (Box<CheckedContinuation<Void, Never>>(), Box<CheckedContinuation<Void, Never>>())
      let task = parked {
        await withTaskGroup { group in
          group.addImmediateTask { await parkedLines(one, log, "h", "x") }
          group.addImmediateTask { await parkedLines(two, log, "k", "z") }
        }
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    }.apart { outcome in
      // The cancellation has the group's lock until it has called both handlers: the first child waits for that where it ends.
      let at = { (letter: Character) in outcome.firstIndex(of: letter)! }
      return at("x") < at("k") || at("z") < at("h")
    },
    Call("cancel in withUnsafeCurrentTask", "abx1", "abx0", rules: "a<b x<1 x<0 a<1", bystander: false) { _, log in
      async let child: Void = { @Sendable in
        log("x")
        log(Task.isCancelled ? "1" : "0")
      }()
      log("a")
      withUnsafeCurrentTask { $0?.cancel() }
      log("b")
      await child
    },
    Call("cancel in withUnsafeCurrentTask, handler", "abhx", rules: "a<h h<b h<x") { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      await withTaskGroup { group in
        group.addImmediateTask { await parkedChild(box, log) }
        log("a")
        withUnsafeCurrentTask { $0?.cancel() }
        log("b")
      }
    },
    Call("cancelled sleep", "abx", rules: "a<b a<x") { _, log in
      let task = parked {
        try? await Task.sleep(for: .seconds(1_000))
        log("x")
      }
      log("a")
      task.cancel()
      log("b")
      await task.value
    },
    Call("two cancel one", "abcdhx", rules: "a<b c<d h<x", bystander: false) { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let task = parked { await parkedChild(box, log) }
      let other = Task.detached {
        log("c")
        task.cancel()
        log("d")
      }
      log("a")
      task.cancel()
      log("b")
      await other.value
      await task.value
    }.only { outcome in
      // The first of the two that cancels calls the handler: h comes in one of the two pairs at least.
      let at = { (letter: Character) in outcome.firstIndex(of: letter)! }
      return (at("a") < at("h") && at("h") < at("b")) || (at("c") < at("h") && at("h") < at("d"))
    },
  ]
}

/// Whether a task that comes before the line `a` asks after that whether it is cancelled: it is stopped when it has asked, and not before.
private func isAskedLate(_ outcome: String) -> Bool {
  let lines = outcome.filter { "afe".contains($0) }
  return lines == "fa"
}

/// Waits until it is cancelled, in a handler that logs a line; then logs another.
nonisolated func parkedLines(_ box: Box<CheckedContinuation<Void, Never>>, _ log: Log, _ one: String, _ two: String)
  async
{
  await withTaskCancellationHandler {
    await withCheckedContinuation { box.put($0) }
  } onCancel: {
    log(one)
    box.take()?.resume()
  }
  log(two)
}
