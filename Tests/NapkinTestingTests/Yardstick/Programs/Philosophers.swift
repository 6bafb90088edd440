// SPDX-License-Identifier: Apache-2.0

private actor Fork {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if !isTaken {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  func putDown() {
    if waiters.isEmpty {
      isTaken = false
    } else {
      waiters.removeFirst().resume()
    }
  }
}

extension YardstickProgram {
  /// Dijkstra's five philosophers: each comes to the table after the one before, so each would have eaten by then.
  static let philosophers = philosophers(name: "Philosophers 5", depth: 5, isLastTurned: false)

  static let soundPhilosophers = philosophers(name: "Philosophers 5, sound", depth: nil, isLastTurned: true)

  private static func philosophers(name: String, depth: Int?, isLastTurned: Bool) -> Self {
    Self(name: name, depth: depth) {
      let forks = (0..<5).map { _ in Fork() }
      try await finish(
        (0..<5).map { seat in
          Task {
            await hop(4 * seat)
            let (left, right) = (forks[seat], forks[(seat + 1) % 5])
            let (first, second) = seat == 4 && isLastTurned ? (right, left) : (left, right)
            await first.take()
            await second.take()
            await second.putDown()
            await first.putDown()
          }
        }
      )
    }
  }
}
