// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

/// Each monitor is shown events that break its rule, and nothing but those.
@Suite struct MonitorTests {
  private final class Thing: Sendable {}
  private let things = (0..<6).map { _ in Thing() }
  private var life: ObjectIdentifier { ObjectIdentifier(things[0]) }
  private var lifeBelow: ObjectIdentifier { ObjectIdentifier(things[1]) }
  private var above: ObjectIdentifier { ObjectIdentifier(things[2]) }
  private var below: ObjectIdentifier { ObjectIdentifier(things[3]) }
  private var other: ObjectIdentifier { ObjectIdentifier(things[4]) }

  /// An interactor that has become active.
  private var awake: [LifecycleEvent] { awake(life, "A") }

  private func awake(_ id: ObjectIdentifier, _ name: String) -> [LifecycleEvent] {
    [.lifecycleCreated(id, owner: name), .activated(id), .didBecomeActiveBegan(id), .didBecomeActiveEnded(id)]
  }

  private func resigns(_ id: ObjectIdentifier) -> [LifecycleEvent] {
    [.willResignActiveBegan(id), .willResignActiveEnded(id), .deactivated(id)]
  }

  /// Two active nodes, the one under the other.
  private var family: [LifecycleEvent] {
    awake + awake(lifeBelow, "B") + [
      .routerCreated(above, name: "Above", lifecycle: life), .routerCreated(below, name: "Below", lifecycle: lifeBelow),
      .attachRequested(child: below, parent: above), .attached(child: below, parent: above), .loadBegan(below),
      .loadEnded(below), .attachReturned(child: below, parent: above),
    ]
  }

  private func verdicts(_ events: [LifecycleEvent], look: (MonitorSet) -> Void = { _ in }) -> [String] {
    let found = Mutex<[String]>([])
    let monitors = MonitorSet { rule, message in found.withLock { $0.append("\(rule): \(message)") } }
    for event in events { monitors.lifecycle(event) }
    look(monitors)
    return found.withLock { $0 }
  }

  @Test func `nobody complains of an ordinary life`() {
    let leaves: [LifecycleEvent] =
      [.detachRequested(child: below, parent: above)] + resigns(lifeBelow) + [
        .detached(child: below, parent: above), .detachReturned(child: below, parent: above),
      ]
    let ends: [LifecycleEvent] =
      resigns(life) + [.routerDeinit(below), .lifecycleDeinit(lifeBelow), .routerDeinit(above), .lifecycleDeinit(life)]
    let found = verdicts(family + leaves + ends) {
      $0.checkAtRest()
      $0.checkAtEnd()
    }
    #expect(found == [])
  }

  @Test func `L2 a callback that begins while the other runs is told`() {
    let begun: [LifecycleEvent] = [.lifecycleCreated(life, owner: "A"), .activated(life), .didBecomeActiveBegan(life)]
    #expect(
      verdicts(begun + [.willResignActiveBegan(life)])
        == [
          "L2: willResignActive() of A began while didBecomeActive() was still running."
        ])
  }

  @Test func `L2 a callback that comes twice in a row is told`() {
    #expect(
      verdicts(awake + [.didBecomeActiveBegan(life)]) == ["L2: didBecomeActive() of A was called twice in a row."])
  }

  @Test func `L3 a callback that never returns is told at rest`() {
    let found = verdicts(awake + [.willResignActiveBegan(life)]) { $0.checkAtRest() }
    #expect(found == ["L3: willResignActive() of A has not returned, and nobody is left to let it."])
  }

  @Test func `L6 work that is bound while inactive is told`() {
    let found = verdicts(awake + resigns(life) + [.taskRegistered(life, task: 1, scope: other, site: nil)])
    #expect(found == ["L6: Task 1 was bound to A while it was inactive."])
  }

  @Test func `L6 work that nobody cancels is told at rest, and what does not end is told at the end`() {
    let works =
      awake + [.taskRegistered(life, task: 1, scope: other, site: nil), .taskStarted(life, task: 1)] + resigns(life)
    #expect(
      verdicts(works) { $0.checkAtRest() }
        == ["L6: Task 1 of A goes on uncancelled, though the interactor is inactive."])
    #expect(
      verdicts(works + [.taskCancelled(life, task: 1)]) { $0.checkAtEnd() }.contains(
        "L6: Task 1 of A outlived its scope: it was cancelled, and has not ended."))
  }

  @Test func `T1 a second load is told`() {
    #expect(verdicts(family + [.loadBegan(below)]) == ["T1: Below was loaded a second time."])
  }

  @Test func `T2 a second parent is told`() {
    let third: [LifecycleEvent] = [
      .routerCreated(other, name: "Other", lifecycle: life), .attached(child: below, parent: other),
    ]
    #expect(verdicts(family + third) == ["T2: Below is under Above and under Other."])
  }

  @Test func `T2 a circle is told`() {
    #expect(
      verdicts(family + [.attached(child: above, parent: below)])
        == ["T2: Above was attached under Below, which stands below it."])
  }

  @Test func `T4 a child that leaves while it is active is told`() {
    #expect(
      verdicts(family + [.detached(child: below, parent: above)])
        == ["T4: Below has left Above, and B is still active."])
  }

  @Test func `T7 who is awake below a sleeper is told at rest`() {
    #expect(
      verdicts(family + resigns(life)) { $0.checkAtRest() } == ["T7: B is active, and A above it is not."])
  }

  @Test func `T10 what is left at the end is told`() {
    let found = verdicts(family + resigns(lifeBelow) + resigns(life)) { $0.checkAtEnd() }
    #expect(found == ["T10: Above was never released.", "T10: Below was never released."])
  }
}
