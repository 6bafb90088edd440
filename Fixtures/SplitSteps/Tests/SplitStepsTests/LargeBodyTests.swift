// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The search for races in bodies that touch much memory, or have many tasks: it goes on, or says that it does not.
@Suite struct LargeBodyTests {
  private func race(_ counts: Counts) async {
    async let first: Void = { counts.first = 1 }()
    async let second: Void = { counts.first = 2 }()
    _ = await (first, second)
  }

  /// Whether not all accesses were compared; how long it took is another warning.
  private func isCutShort(_ exploration: Exploration) -> Bool {
    exploration.warnings.contains { $0.contains("No data race was looked for") }
  }

  private func finds(_ body: @escaping @Sendable () async throws -> Void) async -> Bool {
    let exploration = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run(body)
    #expect(!isCutShort(exploration))
    return exploration.failure?.diagnostics.map(\.kind) == [.dataRace]
  }

  @Test func `a race on the last of 100,000 objects is found`() async {
    #expect(
      await finds {
        let all = (0..<100_000).map { _ in Counts() }
        for counts in all { counts.second = 1 }
        await race(all[all.count - 1])
      })
  }

  @Test func `a race is found after a million objects have come and gone`() async {
    #expect(
      await finds {
        for _ in 0..<1_000_000 { Counts().second = 1 }
        await race(Counts())
      })
  }

  @Test func `sound accesses to 100,000 objects are no race`() async {
    let exploration = await Explorer(executions: 3, seed: 1, shrinks: false).run {
      let sum = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask {
            var kept: [Counts] = []
            for number in 0..<30_000 {
              let counts = Counts()
              counts.first = number
              if number % 3 == 0 { kept.append(counts) }
            }
            return kept.reduce(0) { $0 + $1.first % 2 }
          }
        }
        return await group.reduce(0, +)
      }
      #expect(sum == 15_000)
    }
    #expect(exploration.failure == nil)
    #expect(!isCutShort(exploration))
  }

  @Test func `a race among 300 tasks is found`() async {
    #expect(
      await finds {
        let tally = Tally()
        let counts = Counts()
        await withTaskGroup { group in
          for number in 0..<300 {
            group.addTask {
              tally.increment()
              if number >= 298 { counts.first = number }
            }
          }
        }
      })
  }

  @Test func `an execution that touches more memory than is compared has a warning`() async {
    let exploration = await Explorer(executions: 1, strategy: .fifo).run {
      let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1 << 21)
      for index in 0..<(1 << 21) { memory[index] = index }
      memory.deallocate()
    }
    #expect(exploration.failure == nil)
    #expect(
      exploration.warnings.contains { $0.contains("since it touches more than 12 MB") }, "\(exploration.warnings)")
  }
}
