// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A task begins to run with the priority that it has, and installs the handler that hears of a higher one afterwards. A
// priority that rises in between is heard by nothing, and the task keeps its old one.
//
// The repair looks at the priority again when the handler is there. The priority is a value of this file.
extension Case {
  static let raisedBeforeHandler = Case(
    "raised-before-handler", of: "swiftlang/sourcekit-lsp (0b7b5657 ← 9e9579d1)",
    .split, decides: "raise"
  ) {
    let version = Version.current
    let task = QueuedTask(version)
    let running = Task { task.run() }
    let user = Task { task.raise() }
    await running.value
    await user.value
    try expect(task.scheduled == 2, "a task whose priority has risen is scheduled by it")
  }
}

private final class QueuedTask: Sendable {
  private struct State {
    var (priority, scheduled) = (1, 0)
    var hasHandler = false
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  var scheduled: Int { state.withLock { $0.scheduled } }

  func run() {
    state.withLock { $0.scheduled = $0.priority }
    state.withLock { state in
      state.hasHandler = true
      if version == .after { state.scheduled = state.priority }
    }
  }

  func raise() {
    state.withLock { state in
      state.priority = 2
      if state.hasHandler { state.scheduled = 2 }
    }
  }
}
