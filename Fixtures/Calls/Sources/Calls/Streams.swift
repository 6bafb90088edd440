// SPDX-License-Identifier: Apache-2.0

private struct Refused: Error {}

extension Call {
  /// A stream whose reader waits already gets an element, or its end, between two lines; the reader logs x for an element and
  /// z for the end, and t is the termination handler.
  static let streams: [Call] = [
    Call("AsyncStream.yield()", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("x")
      }
      log("a")
      source.yield()
      log("b")
      await reader.value
    },
    Call("AsyncStream.yield(element)", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("x")
      }
      log("a")
      source.yield(())
      log("b")
      await reader.value
    },
    Call("AsyncStream.yield(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("x")
      }
      log("a")
      source.yield(with: .success(()))
      log("b")
      await reader.value
    },
    Call("AsyncStream.finish()", "abtz", rules: "a<t t<b a<z t<z", isPoint: false) { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("z")
      }
      log("a")
      source.finish()
      log("b")
      await reader.value
    },
    Call("AsyncStream, cancelled reader", "abtz", rules: "a<t t<b a<z t<z") { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("z")
      }
      log("a")
      reader.cancel()
      log("b")
      await reader.value
    },
    Call(
      "AsyncStream, two elements and the end", "abcdxwz", rules: "a<b b<c c<d a<x b<w x<w w<z c<z", isPoint: false,
      bystander: false
    ) { _, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = await elements.next()
        log("x")
        _ = await elements.next()
        log("w")
        _ = await elements.next()
        log("z")
      }
      log("a")
      source.yield()
      log("b")
      source.yield()
      log("c")
      source.finish()
      log("d")
      await reader.value
    },
    Call("AsyncThrowingStream.yield()", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("x")
      }
      log("a")
      source.yield()
      log("b")
      await reader.value
    },
    Call("AsyncThrowingStream.yield(element)", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("x")
      }
      log("a")
      source.yield(())
      log("b")
      await reader.value
    },
    Call("AsyncThrowingStream.yield(with: .success)", "abx", rules: "a<b a<x") { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("x")
      }
      log("a")
      source.yield(with: .success(()))
      log("b")
      await reader.value
    },
    Call("AsyncThrowingStream.finish()", "abtz", rules: "a<t t<b a<z t<z", isPoint: false) { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("z")
      }
      log("a")
      source.finish()
      log("b")
      await reader.value
    },
    Call("AsyncThrowingStream.finish(throwing: error)", "abtz", rules: "a<t t<b a<z t<z", isPoint: false) { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("z")
      }
      log("a")
      source.finish(throwing: Refused())
      log("b")
      await reader.value
    },
    Call(
      "AsyncThrowingStream.yield(with: .failure(error))", "abtz", rules: "a<t t<b a<z t<z", isPoint: false
    ) { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("z")
      }
      log("a")
      source.yield(with: .failure(Refused()))
      log("b")
      await reader.value
    },
    Call("AsyncThrowingStream, cancelled reader", "abtz", rules: "a<t t<b a<z t<z") { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      source.onTermination = { _ in log("t") }
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("z")
      }
      log("a")
      reader.cancel()
      log("b")
      await reader.value
    },
    Call(
      "AsyncThrowingStream, two elements and the end", "abcdxwz", rules: "a<b b<c c<d a<x b<w x<w w<z c<z",
      isPoint: false, bystander: false
    ) { _, log in
      let (stream, source) = AsyncThrowingStream<Void, any Error>.makeStream()
      let reader = parked {
        var elements = stream.makeAsyncIterator()
        _ = try? await elements.next()
        log("x")
        _ = try? await elements.next()
        log("w")
        _ = try? await elements.next()
        log("z")
      }
      log("a")
      source.yield()
      log("b")
      source.yield()
      log("c")
      source.finish()
      log("d")
      await reader.value
    },
  ]
}
