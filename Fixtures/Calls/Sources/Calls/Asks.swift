// SPDX-License-Identifier: Apache-2.0

private enum Local { @TaskLocal static var number = 0 }

extension Call {
  /// A call that asks, beside a task that was started before and logs y.
  private static func ask(
    _ name: String, isPoint: Bool = true, _ question: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Call {
    Call(name, "aby", rules: "a<b", isPoint: isPoint, bystander: false) { place, log in
      let bystander = Task.detached { log("y") }
      log("a")
      await question(place)
      log("b")
      await bystander.value
    }
  }

  static let asks: [Call] = [
    ask("Task.isCancelled") { _ in _ = Task.isCancelled },
    ask("Task.checkCancellation") { _ in try? Task.checkCancellation() },
    ask("UnsafeCurrentTask.isCancelled", isPoint: false) { _ in withUnsafeCurrentTask { _ = $0?.isCancelled } },
    ask("handle.isCancelled", isPoint: false) { _ in _ = Task.immediateDetached {}.isCancelled },
    ask("withTaskCancellationHandler") { place in
      await withTaskCancellationHandler {
        _ = place
      } onCancel: {
      }
    },
    ask("withTaskPriorityEscalationHandler", isPoint: false) { place in
      await withTaskPriorityEscalationHandler {
        _ = place
      } onPriorityEscalated: { _, _ in
      }
    },
    ask("Task.currentPriority", isPoint: false) { _ in _ = Task.currentPriority },
    ask("Task.basePriority", isPoint: false) { _ in _ = Task.basePriority },
    ask("Task.name", isPoint: false) { _ in _ = Task.name },
    ask("withUnsafeCurrentTask", isPoint: false) { _ in withUnsafeCurrentTask { _ in } },
    ask("TaskLocal.withValue", isPoint: false) { _ in Local.$number.withValue(1) {} },
    ask("TaskLocal.get", isPoint: false) { _ in _ = Local.number },
    ask("withTaskGroup, empty", isPoint: false) { place in await withTaskGroup(of: Void.self) { _ in _ = place } },
    ask("Task.yield") { _ in await Task.yield() },
    ask("Task.sleep") { _ in try? await Task.sleep(nanoseconds: 1) },
    ask("MainActor.run") { _ in await MainActor.run {} },
    Call("escalatePriority", "abe", rules: "a<e e<b", isPoint: false) { _, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let task = Task.detached(priority: .low) {
        await withTaskPriorityEscalationHandler {
          await withCheckedContinuation { box.put($0) }
        } onPriorityEscalated: { _, _ in
          log("e")
        }
      }
      while box.isEmpty { await Task.yield() }
      log("a")
      task.escalatePriority(to: .high)
      log("b")
      box.take()?.resume()
      await task.value
    },
    Call("value of an ended task", "axb", rules: "x<a a<b", isPoint: false) { _, log in
      let task = Task.immediateDetached { log("x") }
      log("a")
      await task.value
      log("b")
    },
    Call("value of a task", "axb", rules: "a<b x<b") { _, log in
      let task = Task.detached { log("x") }
      log("a")
      await task.value
      log("b")
    }.apart { outcome in
      // The value of an ended task is there at once.
      outcome == "xayb"
    },
    Call("value of a task by three", "xbcd", rules: "x<b x<c x<d", bystander: false) { _, log in
      let task = Task.detached { log("x") }
      let others = ["b", "c", "d"].map { line in
        Task.detached {
          await task.value
          log(line)
        }
      }
      for other in others { await other.value }
    },
    Call("group.next", "axzb", rules: "a<b", isPoint: false, bystander: false) { place, log in
      await withTaskGroup(of: Void.self) { group in
        _ = place
        group.addTask { log("x") }
        group.addTask { log("z") }
        log("a")
        await group.next()
        log("b")
      }
    }.only { outcome in
      let at = { (letter: Character) in outcome.firstIndex(of: letter)! }
      return at("x") < at("b") || at("z") < at("b")
    },
  ]
}
