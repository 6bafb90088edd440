// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Synchronization
import Testing

private struct Amount: CustomStringConvertible {
  let digits: [Int]
  var description: String { digits.map { "\($0)" }.joined() }
}

private final class Counter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func increment() {
    let value = value
    number.withLock { $0 = value + 1 }
  }
}

private final actor LeafInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// A reported execution puts into words what its tasks do, and its accesses have the numbers of the others for all that.
@Suite struct ReportedExecutionTests {
  enum Source: CaseIterable {
    case note, draw, napkin

    func say() async {
      switch self {
      case .note: Execution.note("\(Amount(digits: [1, 2, 3]))")
      case .draw:
        let digits = Gen<[Int]>.array(of: .int(in: 0...9), count: 3...3)
        _ = Execution.draw(digits.map { Amount(digits: $0) })
      case .napkin: _ = await Router(interactor: LeafInteractor())
      }
    }
  }

  @Test(arguments: Source.allCases)
  func `words shift no access of the task that is preempted behind them`(_ words: Source) async throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 1_000, seed: seed).run {
        let counter = Counter()
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              await words.say()
              counter.increment()
            }
          }
        }
        #expect(counter.value == 2)
      }
      let report = try #require(exploration.failure).report
      #expect(report.contains("is preempted before"), "seed \(seed): \(report)")
      #expect(!report.contains("not deterministic"), "seed \(seed): \(report)")
    }
  }
}
