// SPDX-License-Identifier: Apache-2.0

private actor Pair {
  private(set) var both = (0, 0)

  func setFirst(_ value: Int) { both.0 = value }
  func setSecond(_ value: Int) { both.1 = value }
  func set(_ first: Int, _ second: Int) { both = (first, second) }
}

extension YardstickProgram {
  /// `reorder_n_bad` of SCTBench: the checker has to come between the two halves of the first setter to begin, and
  /// before the second half of any.
  static func reorder(_ count: Int) -> Self {
    reorder(count, name: "Reorder \(count)", depth: 2, published: count == 10 ? "3225* / - / -; SURW 17" : "") { pair in
      await pair.setFirst(1)
      await hop()
      await pair.setSecond(-1)
    }
  }

  static let soundReorder = reorder(5, name: "Reorder, sound", depth: nil) { pair in
    await hop()
    await pair.set(1, -1)
  }

  private static func reorder(
    _ count: Int,
    name: String,
    depth: Int?,
    published: String = "",
    _ set: @escaping @Sendable (Pair) async -> Void
  ) -> Self {
    Self(name: name, depth: depth, published: published) {
      let pair = Pair()
      var tasks: [Task<Void, any Error>] = []
      for _ in 1..<count {
        tasks.append(Task { await set(pair) })
        await hop(4)
      }
      tasks.append(
        Task {
          let both = await pair.both
          try demand(both == (0, 0) || both == (1, -1), "the pair is \(both)")
        }
      )
      try await finish(tasks)
    }
  }
}
