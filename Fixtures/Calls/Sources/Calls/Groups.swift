// SPDX-License-Identifier: Apache-2.0

extension Call {
  /// A group at a call, whose child logs x.
  private static func group(
    _ name: String, rules: String = "a<b a<x", body: @escaping @Sendable (isolated (any Actor)?, Log) async -> Void
  ) -> Call {
    Call(name, "abx", rules: rules, body: body)
  }

  static let groups: [Call] = [
    group("TaskGroup.addTask") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addTaskUnlessCancelled") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.addTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addTask priority") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(priority: .high) { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addTask name") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(name: "new") { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addTask executorPreference") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(executorPreference: globalConcurrentExecutor) { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addImmediateTask", rules: "a<x x<b") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addImmediateTask { log("x") }
        log("b")
      }
    },
    group("TaskGroup.addImmediateTaskUnlessCancelled", rules: "a<x x<b") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.addImmediateTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    Call("TaskGroup.cancelAll", "ab1", "ab0", rules: "a<b a<1") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        group.addTask { log(Task.isCancelled ? "1" : "0") }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("TaskGroup.cancelAll, handler", "abhx", rules: "a<b a<h h<b h<x") { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        let box = Box<CheckedContinuation<Void, Never>>()
        group.addImmediateTask { await parkedChild(box, log) }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("TaskGroup.isCancelled", "ab", rules: "a<b", isPoint: false) { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.isCancelled
        log("b")
      }
    },
    group("ThrowingTaskGroup.addTask") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addTaskUnlessCancelled") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.addTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addTask priority") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(priority: .high) { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addTask name") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(name: "new") { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addTask executorPreference") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addTask(executorPreference: globalConcurrentExecutor) { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addImmediateTask", rules: "a<x x<b") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        group.addImmediateTask { log("x") }
        log("b")
      }
    },
    group("ThrowingTaskGroup.addImmediateTaskUnlessCancelled", rules: "a<x x<b") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.addImmediateTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    Call("ThrowingTaskGroup.cancelAll", "ab1", "ab0", rules: "a<b a<1") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        group.addTask { log(Task.isCancelled ? "1" : "0") }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("ThrowingTaskGroup.cancelAll, handler", "abhx", rules: "a<b a<h h<b h<x") { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        let box = Box<CheckedContinuation<Void, Never>>()
        group.addImmediateTask { await parkedChild(box, log) }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("ThrowingTaskGroup.isCancelled", "ab", rules: "a<b", isPoint: false) { place, log in
      await withThrowingTaskGroup(of: Void.self) { group in
        _ = place
        log("a")
        _ = group.isCancelled
        log("b")
      }
    },
    group("DiscardingTaskGroup.addTask") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addTaskUnlessCancelled") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.addTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addTask priority") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(priority: .high) { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addTask name") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(name: "new") { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addTask executorPreference") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(executorPreference: globalConcurrentExecutor) { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addImmediateTask", rules: "a<x x<b") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addImmediateTask { log("x") }
        log("b")
      }
    },
    group("DiscardingTaskGroup.addImmediateTaskUnlessCancelled", rules: "a<x x<b") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.addImmediateTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    Call("DiscardingTaskGroup.cancelAll", "ab1", "ab0", rules: "a<b a<1") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        group.addTask { log(Task.isCancelled ? "1" : "0") }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("DiscardingTaskGroup.cancelAll, handler", "abhx", rules: "a<b a<h h<b h<x") { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        let box = Box<CheckedContinuation<Void, Never>>()
        group.addImmediateTask { await parkedChild(box, log) }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("DiscardingTaskGroup.isCancelled", "ab", rules: "a<b", isPoint: false) { place, log in
      await withDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.isCancelled
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addTask") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addTaskUnlessCancelled") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.addTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addTask priority") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(priority: .high) { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addTask name") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(name: "new") { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addTask executorPreference") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addTask(executorPreference: globalConcurrentExecutor) { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addImmediateTask", rules: "a<x x<b") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        group.addImmediateTask { log("x") }
        log("b")
      }
    },
    group("ThrowingDiscardingTaskGroup.addImmediateTaskUnlessCancelled", rules: "a<x x<b") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.addImmediateTaskUnlessCancelled { log("x") }
        log("b")
      }
    },
    Call("ThrowingDiscardingTaskGroup.cancelAll", "ab1", "ab0", rules: "a<b a<1") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        group.addTask { log(Task.isCancelled ? "1" : "0") }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("ThrowingDiscardingTaskGroup.cancelAll, handler", "abhx", rules: "a<b a<h h<b h<x") { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        let box = Box<CheckedContinuation<Void, Never>>()
        group.addImmediateTask { await parkedChild(box, log) }
        log("a")
        group.cancelAll()
        log("b")
      }
    },
    Call("ThrowingDiscardingTaskGroup.isCancelled", "ab", rules: "a<b", isPoint: false) { place, log in
      try? await withThrowingDiscardingTaskGroup { group in
        _ = place
        log("a")
        _ = group.isCancelled
        log("b")
      }
    },
  ]
}

/// Waits until it is cancelled, in a handler that logs h; then logs x.
nonisolated func parkedChild(_ box: Box<CheckedContinuation<Void, Never>>, _ log: Log) async {
  await withTaskCancellationHandler {
    await withCheckedContinuation { box.put($0) }
  } onCancel: {
    log("h")
    box.take()?.resume()
  }
  log("x")
}
