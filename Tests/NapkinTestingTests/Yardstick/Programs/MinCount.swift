// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// Two tasks add to a counter in two steps each time; only one pattern of switches loses all but two additions.
  ///
  /// A folklore question of concurrency courses; the answer surprises most readers.
  static func minCount(_ additions: Int) -> Self {
    Self(name: "MinCount \(additions)", depth: 4, bound: additions < 5 ? 1_000 : 10_000) {
      let counter = Variable(0)
      try await finish(
        (0..<2).map { _ in
          Task {
            for _ in 0..<additions {
              let found = await counter.get()
              await hop()
              await counter.set(found + 1)
            }
          }
        }
      )
      let count = await counter.get()
      try demand(count != 2, "the count is 2")
    }
  }

  static let soundCount = Self(name: "MinCount, sound", depth: nil) {
    let counter = Variable(0)
    try await finish(
      (0..<2).map { _ in
        Task {
          for _ in 0..<3 {
            await counter.add(1)
            await hop()
          }
        }
      }
    )
    let count = await counter.get()
    try demand(count == 6, "the count is \(count)")
  }
}
