// SPDX-License-Identifier: Apache-2.0

// A detector of meetings says that one is over when no app has used the microphone for a while; an app that comes back
// cancels the wait. Its test has a clock on which no sleep takes time, so the wait may end before the detector has seen
// the app come back: the bug is in the test.
//
// The repair has a clock whose sleeps wait until the test opens a gate.
extension Case {
  static let debouncedBeforeReappearance = Case(
    "debounced-before-reappearance", of: "scosman/Biscotti 69", .plain, decides: "sleep observe"
  ) {
    let clock = GateClock(isOpen: Version.current == .before)
    let detector = await MeetingDetector(clock)
    let (users, continuation) = AsyncStream.makeStream(of: [String].self)
    let observer = Task { await detector.observe(users) }
    for apps in [["zoom"], [], ["zoom"], []] { continuation.yield(apps) }
    continuation.finish()
    await observer.value
    await clock.open()
    await detector.settled()
    let events = await detector.events
    try expect(events == ["over"], "a gap that is short is no end: \(events)")
  }
}

private actor GateClock {
  private var isOpen: Bool
  private var sleepers: [CheckedContinuation<Void, Never>] = []

  init(isOpen: Bool) { self.isOpen = isOpen }

  func sleep() async { if !isOpen { await withCheckedContinuation { sleepers.append($0) } } }

  func open() {
    isOpen = true
    for sleeper in sleepers { sleeper.resume() }
    sleepers = []
  }
}

@MainActor private final class MeetingDetector {
  private let clock: GateClock
  private(set) var events: [String] = []
  private var waits: [Task<Void, Never>] = []

  init(_ clock: GateClock) { self.clock = clock }

  func observe(_ users: AsyncStream<[String]>) async {
    for await apps in users {
      if apps.isEmpty { waits.append(Task { await debounce() }) } else { waits.last?.cancel() }
    }
  }

  private func debounce() async {
    await clock.sleep()
    if !Task.isCancelled { events.append("over") }
  }

  func settled() async { for wait in waits { await wait.value } }
}
