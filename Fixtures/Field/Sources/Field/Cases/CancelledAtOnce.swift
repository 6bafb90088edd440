// SPDX-License-Identifier: Apache-2.0

// A test starts a task, cancels it in the next line, and expects that it has done nothing: its comment says that the
// body cannot have begun. It can, as the issue found under load.
//
// The issue is open. Here the test, repaired, cancels the task from within before the work begins.
extension Case {
  static let cancelledAtOnce = Case(
    "cancelled-at-once", of: "saurabhav88/EnviousWispr 3035", .inside, .cancellation, decides: "cancels task"
  ) {
    let version = Version.current
    let entries = ["so", "it", "goes"]
    let task = Task {
      if version == .after { withUnsafeCurrentTask { $0?.cancel() } }
      return TurnAssembler.assemble(entries)
    }
    task.cancel()
    let turns = await task.value
    try expect(turns.isEmpty, "a cancelled task processes no entries: \(turns)")
  }
}

private enum TurnAssembler {
  static func assemble(_ entries: [String]) -> [String] {
    var turns: [String] = []
    for entry in entries {
      if Task.isCancelled { return turns }
      turns.append(entry)
    }
    return turns
  }
}
