// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing
import XCTest

/// Whether a task that was just made has run before its creator goes on.
private func isFirst(creator: isolated (any Actor)? = #isolation) async -> Bool {
  let lines = Lines()
  let task = Task.detached { lines.add("task") }
  lines.add("creator")
  await task.value
  return lines.first == "task"
}

private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var first: String? { lines.withLock(\.first) }
}

/// Each test fails in a step alone; `run` takes its token, and replays it in another process.
struct InsideAStepTests {
  @Test(.interleavings(1_000)) func `in the test's process`() async { #expect(await isFirst() == false) }

  @Test(.interleavings(1_000)) @MainActor func `on the main actor`() async { #expect(await isFirst() == false) }

  @Test(.interleavings(1_000, cancels: true)) func `with cancellations`() async { #expect(await isFirst() == false) }

  @Test(.interleavings(1_000, isolated: true)) func `in a process of its own`() async {
    if await isFirst() { fatalError("the task was first") }
  }

  @Test func `under the tree fuzzer`() async {
    await TreeFuzzer { Router(interactor: MockInteractor()) }
      .action("make") { _ in #expect(await isFirst() == false) }
      .check(executions: 1_000)
  }

  @Test func `under the fuzzer`() async {
    await Fuzzer { Lines() }
      .action("make") { _ in #expect(await isFirst() == false) }
      .check(executions: 1_000)
  }

  @Test func `by linearizability`() async {
    await checkLinearizable(model: NeverFirst(), commands: [.make], calls: 1...2, callers: 2) {
      Lines()
    } perform: { _, _ in
      await isFirst()
    }
  }
}

/// In a sequential order of whole steps no task has run before its creator goes on.
private struct NeverFirst: SequentialModel {
  enum Command: Sendable { case make }
  mutating func apply(_ command: Command) -> Bool { false }
}

final class InsideAStepXCTests: XCTestCase {
  func testInXCTest() async {
    await explore(executions: 1_000) {
      let isFirst = await isFirst()
      XCTAssertFalse(isFirst)
    }
  }
}
