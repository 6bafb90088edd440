// SPDX-License-Identifier: Apache-2.0
import Elsewhere
import Foundation
import NapkinTesting
import Testing

/// Explores what is in this image, and what is in a library.
@Suite struct OtherImageTests {
  private static let isSeen = ProcessInfo.processInfo.environment["OTHER_IMAGE"] == nil

  private actor Cell {
    private var value = 0

    func set(_ newValue: Int) async {
      value = newValue
      await Task.yield()
    }
  }

  @Test func `an actor of this image, and its tasks, are controlled`() async {
    let exploration = await Explorer(executions: 50).run {
      let cell = Cell()
      let task = Task { await cell.set(1) }
      await cell.set(2)
      await task.value
    }
    #expect(exploration.failure == nil)
    #expect(exploration.warnings == [])
  }

  @Test func `hops of a library that calls the runtime itself make one warning`() async {
    let exploration = await Explorer(executions: 50).run {
      let account = Account()
      let task = Task { await account.deposit(1) }
      await account.deposit(2)
      #expect(await account.isOpen())
      await task.value
    }
    #expect(exploration.failure == nil)
    expectWarning(of: exploration)
  }

  @Test func `tasks that such a library starts are the execution's, and make one warning`() async {
    let exploration = await Explorer(executions: 50).run { await start().value }
    #expect(exploration.failure == nil)
    expectWarning(of: exploration)
  }

  private func expectWarning(of exploration: Exploration) {
    // One that takes seconds, as another test holds the thread, makes a warning of its own.
    let warnings = exploration.warnings.filter { !$0.contains("thousand") && !$0.contains("never suspends") }
    #expect(warnings.count == (Self.isSeen ? 0 : 1), "\(warnings)")
    let isNamed = warnings.allSatisfy { $0.contains("runs code of another image, libElsewhere.so, whose hops") }
    #expect(isNamed, "\(warnings)")
  }

  @Test func `a task that waits in such a library is reported with its image`() async throws {
    let exploration = await Explorer(executions: 5).run { await waitForever() }
    let message = try #require(exploration.failure?.messages.first)
    #expect(message.contains("\nWaiting: body waits since step 1"), "\(message)")
    #expect(message.contains(", in code of another image, libElsewhere.so"), "\(message)")
  }

  /// A sleep comes to the executors from every image.
  ///
  /// Where hooks take their place, only a sleep of the tests' image does.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] == nil), .timeLimit(.minutes(10)))
  func `a sleep of such a library takes the time of the execution`() async {
    let exploration = await Explorer(executions: 50).run { await rest(for: .seconds(3_600)) }
    #expect(exploration.failure == nil)
  }
}
