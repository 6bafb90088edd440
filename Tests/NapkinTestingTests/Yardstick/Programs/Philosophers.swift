// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// Dijkstra's five philosophers: each comes to the table after the one before, so each would have eaten by then.
  static let philosophers = philosophers(name: "Philosophers 5", depth: 5, isLastTurned: false)

  static let soundPhilosophers = philosophers(name: "Philosophers 5, sound", depth: nil, isLastTurned: true)

  private static func philosophers(name: String, depth: Int?, isLastTurned: Bool) -> Self {
    Self(name: name, depth: depth) {
      let forks = (0..<5).map { _ in AsyncLock() }
      try await finish(
        (0..<5).map { seat in
          Task {
            await hop(4 * seat)
            let (left, right) = (forks[seat], forks[(seat + 1) % 5])
            let (first, second) = seat == 4 && isLastTurned ? (right, left) : (left, right)
            await first.lock()
            await second.lock()
            await second.unlock()
            await first.unlock()
          }
        }
      )
    }
  }
}
