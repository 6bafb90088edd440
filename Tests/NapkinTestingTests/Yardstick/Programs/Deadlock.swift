// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// `deadlock01_bad` of SCTBench, with the second task well behind the first.
  static let deadlock = deadlock(name: "Deadlock", depth: 2, published: "13 / 4 / 3", isReversed: true)

  static let soundDeadlock = deadlock(name: "Deadlock, sound", depth: nil, isReversed: false)

  private static func deadlock(name: String, depth: Int?, published: String = "", isReversed: Bool) -> Self {
    Self(name: name, depth: depth, published: published) {
      let locks = [AsyncLock(), AsyncLock()]
      try await finish(
        (0..<2).map { index in
          Task {
            await hop(9 * index)
            let (outer, inner) = index == 1 && isReversed ? (locks[1], locks[0]) : (locks[0], locks[1])
            await outer.lock()
            await inner.lock()
            await inner.unlock()
            await outer.unlock()
          }
        }
      )
    }
  }
}
