// SPDX-License-Identifier: Apache-2.0

import NapkinTesting

nonisolated extension Construct {
  /// Each way to wait for something, and to cancel what waits.
  static let awaits = [
    Construct("checked continuation", tasks: ["resumer"], .unstructured) { work in
      let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
        Task(name: "resumer") { continuation.resume(returning: await outcome(of: work)) }
      }
      try result.get()
    },
    Construct("throwing continuation", tasks: ["resumer"], .unstructured) { work in
      try await withCheckedThrowingContinuation { continuation in
        Task(name: "resumer") { continuation.resume(with: await outcome(of: work)) }
      }
    },
    Construct("unsafe continuation", tasks: ["resumer"], .unstructured) { work in
      try await withUnsafeThrowingContinuation { continuation in
        Task(name: "resumer") { continuation.resume(with: await outcome(of: work)) }
      }
    },
    Construct("continuation resumed at once", .still) { work in
      await withCheckedContinuation { $0.resume() }
      try await work()
    },
    Construct("task that is cancelled", tasks: ["cancelled"], .cancels, .unstructured) { work in
      let task = Task(name: "cancelled") { try await work() }
      await pause()
      task.cancel()
      try await task.value
    },
    Construct("task that is cancelled at once", tasks: ["cancelled"], .cancels, .unstructured) { work in
      let task = Task(name: "cancelled") { try await work() }
      task.cancel()
      try await task.value
    },
    Construct("cancellation handler", tasks: ["handled"], .cancels, .unstructured) { work in
      let task = Task(name: "handled") {
        try await withTaskCancellationHandler {
          await pause()
          try await work()
        } onCancel: {
        }
      }
      await Task.yield()
      task.cancel()
      try await task.value
    },
    Construct("sleep that is cancelled", tasks: ["dozer"], .cancels, .unstructured) { work in
      let task = Task(name: "dozer") {
        try? await Task.sleep(for: .seconds(1_000))
        try await work()
      }
      await pause()
      task.cancel()
      try await task.value
    },
    Construct("yield") { work in
      async let other: Void = pause()
      for _ in 0..<3 { await Task.yield() }
      try await work()
      await other
    },
    Construct("gate", tasks: ["visitor"], .unstructured) { work in
      let gate = Gate()
      let visitor = Task(name: "visitor") {
        await gate.pass()
        try await work()
      }
      await gate.reached()
      gate.open()
      try await visitor.value
    },
    Construct("recorder", tasks: ["caller"], .unstructured) { work in
      let recorder = Recorder<Int>("Calls")
      let caller = Task(name: "caller") {
        recorder.record(1)
        try await work()
      }
      _ = await recorder.events(atLeast: 1)
      try await caller.value
    },
    Construct("settling", tasks: ["settled"], .needsExecution) { work in
      let task = Task(name: "settled") { await pause() }
      await Execution.settle()
      await task.value
      try await work()
    },
    Construct("draw", .draws, .needsExecution) { work in
      let count = Execution.draw(.int(in: 1...3), "guests")
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await pause() } }
      }
      try await work()
    },
    Construct("note", .needsExecution) { work in
      async let other: Void = pause()
      Execution.note("a note")
      try await work()
      await other
    },
  ]

  static func outcome(of work: Work) async -> Result<Void, any Error> {
    do {
      try await work()
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
