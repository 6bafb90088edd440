// SPDX-License-Identifier: Apache-2.0

private actor Waiters {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    await withCheckedContinuation { waiting.append($0) }
  }

  func resumeAll() {
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}

private actor Event {
  private var isSet = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func set() {
    isSet = true
    for waiter in waiting { waiter.resume() }
    waiting = []
  }

  func wait() async {
    if isSet { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

extension YardstickProgram {
  /// The flag is looked at in one visit and the wait begins in the next; a change between the two is never seen.
  ///
  /// Flag and waiters are two actors, since the compiler merges two visits to one where nothing is between them.
  static let lostWakeUp = Self(name: "Lost wake-up", depth: 2) {
    let (isSet, waiters) = (Variable(false), Waiters())
    try await finish([
      Task { if await !isSet.get() { await waiters.wait() } },
      Task {
        await hop(2)
        await isSet.set(true)
        await waiters.resumeAll()
      },
    ])
  }

  static let soundWakeUp = Self(name: "Lost wake-up, sound", depth: nil) {
    let event = Event()
    try await finish([
      Task { await event.wait() },
      Task {
        await hop(2)
        await event.set()
      },
    ])
  }
}
