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

  @Test func `hops of a library that calls the runtime itself make a warning`() async {
    let exploration = await Explorer(executions: 50).run {
      let account = Account()
      let task = Task { await account.deposit(1) }
      await account.deposit(2)
      #expect(await account.isOpen())
      await task.value
    }
    #expect(exploration.failure == nil)
    let isWarned = exploration.warnings.contains {
      $0.hasPrefix("Account is in another image, libElsewhere.so, and its hops are no scheduling points here")
    }
    #expect(isWarned == !Self.isSeen, "\(exploration.warnings)")
  }

  @Test func `tasks that such a library starts make a warning`() async {
    let exploration = await Explorer(executions: 50).run { await start().value }
    #expect(exploration.failure == nil)
    let isWarned = exploration.warnings.contains {
      $0.hasPrefix("Code in another image, libElsewhere.so, starts tasks that are not controlled")
    }
    #expect(isWarned == !Self.isSeen, "\(exploration.warnings)")
  }

  @Test func `a task that waits in such a library is reported with its image`() async throws {
    let exploration = await Explorer(executions: 5).run { await waitForever() }
    let message = try #require(exploration.failure?.messages.first)
    #expect(message.contains("\nWaiting: body waits since step 1"), "\(message)")
    #expect(message.contains(", in code of another image, libElsewhere.so"), "\(message)")
  }

  /// Where Apple's ways are taken, a sleep of another image takes real time.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] != nil && !isSeen))
  func `a sleep of such a library makes a warning when it is over`() async {
    let exploration = await Explorer(executions: 3).run { await rest(for: .milliseconds(20)) }
    #expect(exploration.failure == nil)
    #expect(exploration.warnings.first?.hasPrefix("Lost control: ") == true, "\(exploration.warnings)")
  }

  /// A sleep comes to the executors from every image.
  ///
  /// Where hooks take their place, only a sleep of the tests' image does.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] == nil), .timeLimit(.minutes(1)))
  func `a sleep of such a library takes the time of the execution`() async {
    let exploration = await Explorer(executions: 50).run { await rest(for: .seconds(3_600)) }
    #expect(exploration.failure == nil)
  }
}
