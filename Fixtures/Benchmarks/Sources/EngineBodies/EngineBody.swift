// SPDX-License-Identifier: Apache-2.0

/// A body that an engine runs again and again; the engine and the bare pump run the same ones.
package struct EngineBody: Sendable {
  package let name: String

  /// How many executions make a batch of a millisecond or two.
  package let batch: Int

  package let run: @Sendable () async -> Void

  /// Tasks that yield a given number of times: nothing but scheduling.
  static func yields(tasks: Int, times: Int, batch: Int) -> EngineBody {
    EngineBody(name: "\(tasks) tasks × \(times) yields", batch: batch) {
      let all = (0..<tasks).map { _ in Task { for _ in 0..<times { await Task.yield() } } }
      for task in all { await task.value }
    }
  }

  /// Nothing: the fixed cost of an execution.
  package static let empty = EngineBody(name: "empty", batch: 500) {}

  /// Callers that each send messages to all the actors: a hop there and a hop back.
  static func messages(actors: Int, callers: Int, batch: Int) -> EngineBody {
    EngineBody(name: "\(actors) actors × \(actors * callers) messages", batch: batch) {
      let inboxes = (0..<actors).map { _ in Inbox() }
      let all = (0..<callers).map { caller in
        Task { for turn in 0..<actors { await inboxes[(caller + turn) % actors].receive(turn) } }
      }
      for task in all { await task.value }
    }
  }

  /// Tasks that sleep several times each, for times of their own.
  static func timers(tasks: Int, times: Int, batch: Int) -> EngineBody {
    EngineBody(name: "\(tasks) tasks × \(times) sleeps", batch: batch) {
      let all = (0..<tasks).map { task in
        Task { for turn in 1...times { try? await Task.sleep(for: .milliseconds(5 * turn + task)) } }
      }
      for task in all { await task.value }
    }
  }

  package static let all: [EngineBody] = [
    empty,
    yields(tasks: 3, times: 10, batch: 200),
    yields(tasks: 20, times: 50, batch: 8),
    messages(actors: 8, callers: 8, batch: 40),
    timers(tasks: 8, times: 4, batch: 60),
  ]
}

private actor Inbox {
  private var sum = 0
  func receive(_ value: Int) { sum &+= value }
}
