// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// `twostage_N_bad` of SCTBench: the reader has to come between the two stages of the first writer to begin, and
  /// before the second stage of any.
  static func twoStage(_ writers: Int) -> Self {
    let published = [1: "13 / 15 / 464", 19: "159 / 156 / -"][writers] ?? ""
    return twoStage(writers, name: "TwoStage \(writers)", depth: 2, published: published) { first, second in
      first == 0 || second == first + 1
    }
  }

  static let soundTwoStage = twoStage(3, name: "TwoStage, sound", depth: nil) { _, second in
    second == 0 || second == 2
  }

  private static func twoStage(
    _ writers: Int,
    name: String,
    depth: Int?,
    published: String = "",
    _ isRight: @escaping @Sendable (Int, Int) -> Bool
  ) -> Self {
    Self(name: name, depth: depth, published: published) {
      let first = Variable(0)
      let second = Variable(0)
      var tasks: [Task<Void, any Error>] = (0..<writers).map { _ in
        Task {
          await first.set(1)
          await hop()
          await second.set(await first.get() + 1)
        }
      }
      tasks.append(
        Task {
          let one = await first.get()
          if one == 0 { return }
          await hop()
          let two = await second.get()
          try demand(isRight(one, two), "the stages are \(one) and \(two)")
        }
      )
      try await finish(tasks)
    }
  }
}
