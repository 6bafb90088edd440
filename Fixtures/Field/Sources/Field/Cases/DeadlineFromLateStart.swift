// SPDX-License-Identifier: Apache-2.0

// A debouncer sleeps in the task that it starts, so the wait counts from when that task begins and not from the call. A
// test that advances its clock before has a deadline that is never reached, and in the app a late start makes the wait
// longer.
//
// The repair takes the deadline when the action is scheduled.
extension Case {
  static let deadlineFromLateStart = Case(
    "deadline-from-late-start", of: "onevcat/Prowl 633", .plain, decides: "advance schedule"
  ) {
    let clock = SteppedClock()
    let saver = Debouncer(Version.current, clock)
    await saver.schedule("draft")
    await clock.advance(by: 300)
    await saver.settled()
    let fired = await saver.fired
    try expect(fired == ["draft"], "the action fires when its time has come: \(fired)")
  }
}

private actor SteppedClock {
  private(set) var now = 0
  private var sleepers: [(end: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func sleep(until end: Int) async {
    if end > now { await withCheckedContinuation { sleepers.append((end, $0)) } }
  }

  func sleep(for duration: Int) async { await sleep(until: now + duration) }

  func advance(by duration: Int) {
    now += duration
    for sleeper in sleepers where sleeper.end <= now { sleeper.continuation.resume() }
    sleepers.removeAll { $0.end <= now }
  }
}

private actor Debouncer {
  private let version: Case.Version
  private let clock: SteppedClock
  private(set) var fired: [String] = []
  private var task: Task<Void, Never>?

  init(_ version: Case.Version, _ clock: SteppedClock) {
    self.version = version
    self.clock = clock
  }

  func schedule(_ action: String) async {
    let deadline = await clock.now + 300
    task?.cancel()
    task = Task {
      switch version {
      case .before: await clock.sleep(for: 300)
      case .after: await clock.sleep(until: deadline)
      }
      if !Task.isCancelled { fired.append(action) }
    }
  }

  func settled() async { await task?.value }
}
