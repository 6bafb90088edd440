// SPDX-License-Identifier: Apache-2.0

/// Carries a value from a task to its children.
nonisolated enum Guest {
  @TaskLocal static var name = "none"
}

nonisolated extension Construct {
  /// Each way to start a task that is not of a group.
  static let tasks = [
    Construct("body", .still) { try await $0() },
    Construct("async let") { work in
      async let child: Void = work()
      async let other: Void = pause()
      _ = try await (child, other)
    },
    Construct("async let in a function") { work in
      _ = try await sellTwo(work)
    },
    Construct("async let of a value") { work in
      async let number = answer(after: work)
      await pause()
      _ = try await number
    },
    Construct("async let that is not awaited", .swallows, .cancels) { work in
      async let child: Void = work()
      await pause()
    },
    Construct("async let of async let") { work in
      @Sendable func middle() async throws {
        async let child: Void = work()
        await pause()
        _ = try await child
      }
      async let outer: Void = middle()
      await pause()
      try await outer
    },
    Construct("task", .unstructured) { work in
      let task = Task { try await work() }
      await pause()
      try await task.value
    },
    Construct("named task", tasks: ["worker"], .unstructured) { work in
      let task = Task(name: "worker") { try await work() }
      await pause()
      try await task.value
    },
    Construct("named task that sleeps", tasks: ["dozer"], .unstructured) { work in
      let task = Task(name: "dozer") {
        try? await Task.sleep(for: .milliseconds(5))
        try await work()
      }
      await pause()
      try await task.value
    },
    Construct("named task that only sleeps", tasks: ["napper"]) { work in
      let task = Task(name: "napper") { try? await Task.sleep(for: .milliseconds(5)) }
      let other = Task(name: "other") { try? await Task.sleep(for: .milliseconds(5)) }
      _ = await (task.value, other.value)
      try await work()
    },
    Construct("named task that awaits a task", tasks: ["waiter"], .unstructured) { work in
      let inner = Task { try await work() }
      let task = Task(name: "waiter") { try await inner.value }
      try await task.value
    },
    Construct("detached task", .unstructured) { work in
      let task = Task.detached { try await work() }
      await pause()
      try await task.value
    },
    Construct("named detached task", tasks: ["detached"], .unstructured) { work in
      let task = Task.detached(name: "detached", priority: .background) { try await work() }
      await pause()
      try await task.value
    },
    Construct("immediate task") { work in
      let task = Task.immediate { try await work() }
      await pause()
      try await task.value
    },
    Construct("named immediate task", tasks: ["at once"]) { work in
      let task = Task.immediate(name: "at once") { try await work() }
      await pause()
      try await task.value
    },
    Construct("immediate detached task") { work in
      let task = Task.immediateDetached { try await work() }
      await pause()
      try await task.value
    },
    Construct("task of a priority", .unstructured) { work in
      let task = Task(priority: .background) { try await work() }
      await pause()
      try await task.value
    },
    Construct("task of a task", tasks: ["inner"], .unstructured) { work in
      let task = Task(name: "outer") {
        await pause()
        try await Task(name: "inner") { try await work() }.value
      }
      await pause()
      try await task.value
    },
    Construct("task with a task-local", tasks: ["guest"], .unstructured) { work in
      try await Guest.$name.withValue("ada") {
        try await Task(name: "guest") {
          precondition(Guest.name == "ada")
          try await work()
        }.value
      }
    },
    Construct("tasks beside each other", tasks: ["ada", "ben"], .unstructured) { work in
      let ada = Task(name: "ada") { await pause() }
      let ben = Task(name: "ben") { try await work() }
      _ = try await (ada.value, ben.value)
    },
    Construct("task that sleeps on") { work in
      Task(name: "left") { try? await Task.sleep(for: .seconds(3_600)) }
      try await work()
    },
    Construct("task that is left waiting") { work in
      Task(name: "left") { for await _ in AsyncStream<Int>.makeStream().stream {} }
      await pause()
      try await work()
    },
  ]

  private static func sellTwo(_ work: @escaping Work) async throws -> Int {
    let spot = Spot()
    async let first: Void = spot.visit()
    async let second: Void = work()
    _ = try await (first, second)
    return 2
  }

  private static func answer(after work: @escaping Work) async throws -> Int {
    try await work()
    return 42
  }
}
