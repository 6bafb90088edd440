// SPDX-License-Identifier: Apache-2.0
internal import EngineBodies
internal import Memory
internal import NapkinTesting

/// What is allocated after a number of executions of a small body, and after ten times as many.
package func engineMemory(executions: Int) async -> (early: Int, late: Int) {
  func explore(_ count: Int) async {
    _ = await Explorer(executions: count, strategy: .portfolio, seed: 1).run {
      let tasks = (0..<2).map { _ in Task { await Task.yield() } }
      for task in tasks { await task.value }
    }
  }
  await explore(executions / 10)
  let early = napkin_allocated_bytes()
  await explore(executions)
  return (early, napkin_allocated_bytes())
}
