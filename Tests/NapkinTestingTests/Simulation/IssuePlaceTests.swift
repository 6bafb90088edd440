// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Issues of work that inherits no task-local: a detached task, a block of a queue, a thread.
@Suite struct IssuePlaceTests {
  enum Place: String, CaseIterable, CustomTestStringConvertible {
    case detached, immediateDetached, nestedDetached, besideChildren
    case queue, group, notification, later, thread, queueOfDetached, taskOfQueue

    var testDescription: String { rawValue }

    func run(_ work: @escaping @Sendable () -> Void) async {
      switch self {
      case .detached: await Task.detached { work() }.value
      case .immediateDetached: await Task.immediateDetached { work() }.value
      case .nestedDetached: await Task.detached { await Task.detached { work() }.value }.value
      case .besideChildren:
        await withTaskGroup { group in
          group.addTask {}
          await Task.detached { work() }.value
        }
      case .queueOfDetached: await Task.detached { await Self.queue.left(work) }.value
      case .taskOfQueue:
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            Task.detached {
              work()
              continuation.resume()
            }
          }
        }
      default: await left(work)
      }
    }

    /// Leaves the work to a queue or a thread, and waits for its end.
    private func left(_ work: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        let block: @Sendable () -> Void = {
          work()
          continuation.resume()
        }
        switch self {
        case .group: DispatchQueue.global().async(group: DispatchGroup(), execute: block)
        case .notification: DispatchGroup().notify(queue: .global(), execute: block)
        case .later: DispatchQueue.global().asyncAfter(deadline: .now() + 0.01, execute: block)
        case .thread: Thread(block: block).start()
        default: DispatchQueue(label: "printer").async(execute: block)
        }
      }
    }
  }

  private static let strays = Mutex(0)
  private static let places: [Place] =
    PlatformWays.replaceLibraryFunctions
    // Where steps are split, a group notifies a queue in another way.
    ? Place.allCases.filter { $0 != .notification || !Instrumentation.splitsSteps }
    : [.detached, .immediateDetached, .nestedDetached, .besideChildren]

  @Test(
    .compactMapIssues { issue in
      if Test.current == nil { strays.withLock { $0 += 1 } }
      return issue
    }, arguments: places, [Explorer.Strategy.portfolio, .parallel])
  func `an issue is its execution's wherever it is recorded`(place: Place, strategy: Explorer.Strategy) async {
    let failed = await Explorer(executions: 16, strategy: strategy).run {
      await place.run { Issue.record("sold twice") }
    }
    #expect(failed.failure?.messages == ["sold twice"])
    #expect(failed.failure?.execution == 1)
    let warned = await Explorer(executions: 4, strategy: strategy).run {
      await place.run { Issue.record("nearly full", severity: .warning) }
    }
    #expect(warned.warnings.contains { $0.contains("nearly full") })
    let known = await Explorer(executions: 4, strategy: strategy).run {
      await place.run { withKnownIssue { _ = Issue.record("known") } }
    }
    #expect(known.failure == nil)
    #expect(Self.strays.withLock { $0 } == 0)
  }
}
