// SPDX-License-Identifier: Apache-2.0

// A test starts a task that debounces, advances the clock of the test, and expects the effect. The task may not have
// armed its sleep when the clock advances, and then sleeps for ever: the bug is in the test.
//
// The repair lets other tasks run before it advances the clock; here it waits until the sleep is registered.
extension Case {
  static let clockAdvancedEarly = Case(
    "clock-advanced-early", of: "onevcat/Prowl 460", .plain, decides: "advance"
  ) {
    let version = Version.current
    let clock = ManualClock()
    let search = DebouncedSearch(clock)
    let typing = Task { await search.type("ba") }
    if version == .after { await clock.waitForSleeper() }
    await clock.advance(by: 300)
    await typing.value
    let sent = await search.sent
    try expect(sent == ["ba"], "the search is sent: \(sent)")
  }
}

private actor ManualClock {
  private var now = 0
  private var sleepers: [(end: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var watcher: CheckedContinuation<Void, Never>?

  func sleep(for duration: Int) async {
    let end = now + duration
    await withCheckedContinuation { continuation in
      sleepers.append((end, continuation))
      watcher?.resume()
      watcher = nil
    }
  }

  func waitForSleeper() async {
    if sleepers.isEmpty { await withCheckedContinuation { watcher = $0 } }
  }

  func advance(by duration: Int) {
    now += duration
    for sleeper in sleepers where sleeper.end <= now { sleeper.continuation.resume() }
    sleepers.removeAll { $0.end <= now }
  }
}

private actor DebouncedSearch {
  private let clock: ManualClock
  private(set) var sent: [String] = []

  init(_ clock: ManualClock) { self.clock = clock }

  func type(_ text: String) async {
    await clock.sleep(for: 300)
    sent.append(text)
  }
}
