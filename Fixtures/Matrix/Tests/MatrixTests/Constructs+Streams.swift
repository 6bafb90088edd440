// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Observation

@MainActor @Observable private final class Model {
  var count = 0
}

nonisolated extension Construct {
  /// Each way to wait for elements and for changes.
  static let streams = [
    Construct("stream", tasks: ["consumer"], .unstructured) { work in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let consumer = Task(name: "consumer") {
        for await _ in stream { try await work() }
      }
      continuation.yield(1)
      continuation.finish()
      try await consumer.value
    },
    Construct("stream with a producer", tasks: ["producer"]) { work in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      Task(name: "producer") {
        for number in 1...3 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      for await _ in stream {}
      try await work()
    },
    Construct("throwing stream", .unstructured) { work in
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      Task(name: "thrower") {
        do {
          try await work()
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      for try await _ in stream {}
    },
    Construct("unfolding stream") { work in
      let spot = Spot()
      let stream = AsyncStream<Int> {
        await spot.visit()
        return nil
      }
      async let other: Void = spot.visit()
      for await _ in stream {}
      try await work()
      await other
    },
    Construct("stream that drops", tasks: ["reader"]) { work in
      let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let reader = Task(name: "reader") { for await _ in stream.map({ $0 + 1 }).filter({ $0 > 1 }) {} }
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
      await reader.value
      try await work()
    },
    Construct("stream whose reader is cancelled", tasks: ["reader"], .cancels, .unstructured) { work in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let reader = Task(name: "reader") {
        for await _ in stream {}
        try await work()
      }
      await pause()
      reader.cancel()
      try await reader.value
      continuation.finish()
    },
    Construct("observation tracking") { work in
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let model = await Model()
      await MainActor.run {
        withObservationTracking {
          _ = model.count
        } onChange: {
          continuation.finish()
        }
      }
      Task(name: "changer") { @MainActor in model.count += 1 }
      for await _ in stream {}
      try await work()
    },
    Construct("observations", tasks: ["observer"], .unstructured) { work in
      let model = await Model()
      let observer = Task(name: "observer") { @MainActor in
        for await count in Observations({ model.count }) where count == 1 { break }
        try await work()
      }
      await pause()
      await MainActor.run { model.count += 1 }
      try await observer.value
    },
  ]

  /// Each way to let time pass.
  static let times = [
    Construct("sleep") { work in
      async let other: Void = pause()
      try? await Task.sleep(for: .milliseconds(20))
      try await work()
      await other
    },
    Construct("sleep in nanoseconds") { work in
      async let other: Void = pause()
      try? await Task.sleep(nanoseconds: 2_000_000)
      try await work()
      await other
    },
    Construct("sleep of a clock") { work in
      async let other: Void = pause()
      try? await ContinuousClock().sleep(for: .milliseconds(20))
      try? await SuspendingClock().sleep(for: .milliseconds(20))
      try await work()
      await other
    },
    Construct("sleep until") { work in
      async let other: Void = pause()
      try? await Task.sleep(until: .now + .milliseconds(20), tolerance: .milliseconds(1), clock: .continuous)
      try await work()
      await other
    },
    Construct("sleep in an actor", tasks: ["opener"], .unstructured) { work in
      let spot = Napper()
      let task = Task(name: "opener") {
        await spot.nap()
        try await work()
      }
      await spot.nap()
      try await task.value
    },
    Construct("sleeps beside each other", tasks: ["short", "long"], .unstructured) { work in
      let short = Task(name: "short") { try? await Task.sleep(for: .milliseconds(10)) }
      let long = Task(name: "long") {
        try? await Task.sleep(for: .milliseconds(30))
        try await work()
      }
      _ = try await (short.value, long.value)
    },
    Construct("timeout that does not end it", tasks: ["timed"], .cancels) { work in
      try await withThrowingTaskGroup { group in
        group.addTask(name: "timed") { try await work() }
        group.addTask(name: "timeout") { try? await Task.sleep(for: .seconds(100_000)) }
        try await group.next()
        group.cancelAll()
      }
    },
  ]
}

/// An actor that sleeps.
private actor Napper {
  func nap() async { try? await Task.sleep(for: .milliseconds(5)) }
}
