// SPDX-License-Identifier: Apache-2.0
import Elsewhere
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Explores code of a library that sleeps in real time, beside code of this image, whose time is that of the execution.
@Suite(.timeLimit(.minutes(10))) struct RealTimeTests {
  private static let isSeen = ProcessInfo.processInfo.environment["OTHER_IMAGE"] == nil
  private static let isLikeApple = ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] != nil
  /// Where Apple's ways are taken, what another image waits for takes real time.
  private static let isReal = isLikeApple && !isSeen

  /// Checks that a body does not fail, and that it makes a warning where it meets the library.
  ///
  /// One that waits there meets it by Apple's ways alone.
  private func check(_ exploration: Exploration, meets: Bool? = isReal) {
    #expect(exploration.failure == nil, "\(exploration)")
    // One that takes seconds makes a warning of its own, and so does a loop that waits by yielding.
    let others = ["thousand", "never suspends", "Busy wait"]
    let warnings = exploration.warnings.filter { warning in !others.contains { warning.contains($0) } }
    if let meets { #expect(warnings.count == (meets ? 1 : 0), "\(warnings)") }
    let isNamed = warnings.allSatisfy { $0.contains("another image, libElsewhere.so") }
    #expect(isNamed, "\(warnings)")
  }

  /// Ends a wait with whether it ended in time.
  private static func ends(within limit: Duration, _ wait: @escaping @Sendable () async -> Void) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await wait()
        return true
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() == true
    }
  }

  @Test func `a sleep of a second is no deadlock`() async {
    check(await Explorer(executions: 2).run { await rest(for: .seconds(1)) })
  }

  @Test func `every way to sleep is known`() async {
    check(await Explorer(executions: 2).run { await restInEachWay(for: .milliseconds(500)) })
  }

  @Test func `a search that waits for more text is no deadlock`() async {
    check(
      await Explorer(executions: 2).run {
        let (found, continuation) = AsyncStream.makeStream(of: String.self)
        let search = Search { continuation.yield($0) }
        for text in ["n", "na", "nap"] { await search.type(text) }
        var texts = found.makeAsyncIterator()
        #expect(await texts.next() == "nap")
      })
  }

  @Test func `what a task of the library calls after a second is waited for`() async {
    check(
      await Explorer(executions: 2).run {
        await withUnsafeContinuation { continuation in callBack(after: .seconds(1)) { continuation.resume() } }
      }, meets: !Self.isSeen)
  }

  @Test func `a timeout of a minute is not over before a second is`() async {
    check(
      await Explorer(executions: 4).run {
        #expect(await Self.ends(within: .seconds(60)) { await rest(for: .seconds(1)) })
      })
  }

  @Test func `a timeout is over before a sleep that is longer`() async {
    check(
      await Explorer(executions: 4).run {
        #expect(await !Self.ends(within: .milliseconds(300)) { await rest(for: .seconds(30)) })
      })
  }

  /// A yield may have come back before its task suspends, so that the library is not met.
  @Test func `a timeout of a minute is not over before what only gives way is`() async {
    check(
      await Explorer(executions: 200).run {
        #expect(await Self.ends(within: .seconds(60)) { await giveWay(times: 3) })
      }, meets: nil)
  }

  @Test func `a sleep by a clock that is handed in takes no real time`() async {
    check(
      await Explorer(executions: 50).run { await rest(for: .seconds(3_600), by: Execution.clock) },
      meets: nil)
  }

  @Test func `a loop that polls for what a sleep ends is no livelock`() async {
    check(
      await Explorer(executions: 2).run {
        let isOver = Atomic(false)
        let sleep = Task {
          await rest(for: .seconds(1))
          isOver.store(true, ordering: .relaxed)
        }
        while !isOver.load(ordering: .relaxed) { await Task.yield() }
        await sleep.value
      })
  }

  @Test(.enabled(if: isReal)) func `a sleep that does not end is said to be one after half a minute`() async throws {
    let exploration = await Explorer(executions: 2).run { await rest(for: .seconds(3_600)) }
    let message = try #require(exploration.failure?.messages.first)
    #expect(
      message.hasPrefix(
        "Hang: a task sleeps in code of another image, libElsewhere.so, which takes real time, and nothing else has gone on for"
      ), "\(message)")
  }

  @Test func `the warning is the one that the article shows`() async throws {
    let article = URL(filePath: #filePath).appending(
      path: "../../../../../Sources/NapkinTesting/NapkinTesting.docc/TestsWithAHostApp.md")
    let words = try String(contentsOf: article.standardized, encoding: .utf8).split { $0.isWhitespace }
    let exploration = await Explorer(executions: 1).run { await rest(for: .milliseconds(1)) }
    check(exploration)
    for warning in exploration.warnings where warning.contains("another image") {
      let shown = words.joined(separator: " ").contains(warning.split { $0.isWhitespace }.joined(separator: " "))
      #expect(shown, "\(warning)")
    }
  }
}
