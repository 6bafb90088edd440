// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

@Suite struct ConstructorTests {
  private static let steps = [
    "hops", "yields", "sleeps", "sleeps by clocks", "calls a closure that does not escape", "cancels",
    "records an attachment",
  ]

  @Test func `a task that runs before every constructor of the kit does all that it asks for`() {
    #expect(EarlyTask.first.done.withLock { $0 } == Self.steps)
  }

  @Test func `a task that runs between them does, too`() {
    #expect(EarlyTask.anywhere.done.withLock { $0 } == Self.steps)
  }

  @Test func `an exploration is in control after such tasks`() async {
    let result = await Explorer(executions: 1_000).run {
      let cell = Cell()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            try? await Task.sleep(for: .seconds(3_600))
            await cell.set(await cell.value + 1)
          }
        }
      }
      #expect(await cell.value == 2)
    }
    #expect(result.failure != nil)
    #expect(result.warnings == [])
  }
}
