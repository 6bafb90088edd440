// SPDX-License-Identifier: Apache-2.0

typealias Line = @Sendable () -> Void

extension Call {
  /// A call that makes a task, which logs x.
  private static func maker(
    _ name: String, rules: String = "a<b a<x", serial: String = "",
    _ make: @escaping @Sendable (isolated (any Actor)?, @escaping Line) -> Task<Void, Never>
  ) -> Call {
    Call(name, "abx", rules: rules, serial: serial) { place, log in
      log("a")
      let task = make(place) { log("x") }
      log("b")
      await task.value
    }
  }

  /// A call whose task runs at once: x comes in it, and z after a suspension.
  private static func immediate(
    _ name: String,
    _ make: @escaping @Sendable (isolated (any Actor)?, @escaping Line, @escaping Line) -> Task<Void, Never>
  ) -> Call {
    Call(name, "axbz", rules: "a<x x<b x<z", serial: "b<z") { place, log in
      log("a")
      let task = make(place, { log("x") }, { log("z") })
      log("b")
      await task.value
    }
  }

  static let makers: [Call] = [
    maker("Task", serial: "b<x") { place, x in
      Task {
        _ = place
        x()
      }
    },
    maker("Task priority high", serial: "b<x") { place, x in
      Task(priority: .high) {
        _ = place
        x()
      }
    },
    maker("Task priority background", serial: "b<x") { place, x in
      Task(priority: .background) {
        _ = place
        x()
      }
    },
    maker("Task name", serial: "b<x") { place, x in
      Task(name: "new") {
        _ = place
        x()
      }
    },
    maker("Task executorPreference") { _, x in
      Task(executorPreference: globalConcurrentExecutor) { x() }
    },
    maker("Task off actors") { _, x in Task { @concurrent in x() } },
    maker("Task on main") { _, x in Task { @MainActor in x() } }
      .copy(places: [.body, .pool, .actor]),
    maker("Task.detached") { _, x in Task.detached { x() } },
    maker("Task.detached priority") { _, x in Task.detached(priority: .low) { x() } },
    maker("Task.detached name") { _, x in Task.detached(name: "new", priority: .high) { x() } },
    maker("Task.detached executorPreference") { _, x in
      Task.detached(executorPreference: globalConcurrentExecutor) { x() }
    },
    maker("Task.immediate", rules: "a<x x<b") { _, x in Task.immediate { x() } },
    maker("Task.immediateDetached", rules: "a<x x<b") { _, x in Task.immediateDetached { x() } },
    immediate("Task.immediate, yields") { place, x, z in
      Task.immediate {
        _ = place
        x()
        await Task.yield()
        z()
      }
    },
    Call("async let", "abx", rules: "a<b a<x") { _, log in
      log("a")
      async let child: Void = log("x")
      log("b")
      await child
    },
    Call("async let twice", "abcxz", rules: "a<b b<c a<x b<z", bystander: false) { _, log in
      log("a")
      async let first: Void = log("x")
      log("b")
      async let second: Void = log("z")
      log("c")
      _ = await (first, second)
    },
    Call("async let ends", "abx", rules: "a<x x<b") { _, log in
      do {
        log("a")
        async let _: Void = log("x")
      }
      log("b")
    },
    Call("Task twice", "abcxz", rules: "a<b b<c a<x b<z", serial: "c<x c<z x<z", bystander: false) { place, log in
      log("a")
      let first = Task {
        _ = place
        log("x")
      }
      log("b")
      let second = Task {
        _ = place
        log("z")
      }
      log("c")
      await first.value
      await second.value
    },
    Call("Task.detached twice", "abcxz", rules: "a<b b<c a<x b<z", bystander: false) { _, log in
      log("a")
      let first = Task.detached { log("x") }
      log("b")
      let second = Task.detached { log("z") }
      log("c")
      await first.value
      await second.value
    },
  ]
}
