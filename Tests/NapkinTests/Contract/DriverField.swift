// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@testable import Napkin

/// Places for routers of every kind, which are made, called, moved and dropped beside each other.
///
/// Everything that the driver calls is a model here, and the engine has its queues and tasks: the driver is the real one.
@MainActor
final class DriverField {
  nonisolated static let count = 4

  let root = DrivenRouter(ProbeInteractor("root"))
  private var places: [DrivenRouter?] = Array(repeating: nil, count: DriverField.count)
  private(set) var isReleasing = false
  private var waits: [Task<Void, Never>] = []
  private var openWaits = 0
  /// All lifecycles that are not known to be released.
  private var made: [Weak<InteractorLifecycle>] = []

  init() async {
    root.field = self
    await root.interactor.activate()
  }

  private func router(_ place: Int) -> DrivenRouter? { place == 0 ? root : places[place - 1] }

  func carryOut(_ call: DriverCall) async {
    switch call {
    case .make(let place, let kind): make(kind, at: place)
    case .drop(let place): replace(place, by: nil)
    case .attach(let child, let parent): await attach(child, to: parent)
    case .detach(let child): await detach(child)
    case .activate(let place): await router(place)?.interactor.activate()
    case .deactivate(let place): await router(place)?.interactor.deactivate()
    case .grow(let place): await grow(at: place)
    case .wait(let place): wait(for: place)
    case .cancelWait(let number): if !waits.isEmpty { waits[number % waits.count].cancel() }
    case .bind(let place): router(place)?.interactor.task { await Task.yield() }
    }
    check()
  }

  private func make(_ kind: DriverCall.Kind, at place: Int) {
    let router = DrivenRouter(interactor(kind, at: place))
    router.field = self
    router.place = place
    replace(place, by: router)
  }

  private func interactor(_ kind: DriverCall.Kind, at place: Int) -> any Interactable {
    let interactor: any Interactable =
      switch kind {
      case .defaults: PlainInteractor()
      case .suspends: DrivenInteractor(self)
      case .interruptsItself: InterruptedInteractor(self)
      case .movesAway: MovingInteractor { [weak self] in await self?.moveAway(place) }
      }
    // The number may be one that was in use: nothing is left of that.
    let node = interactor.lifecycle.node
    let (record, isFresh) = TreeDriver.state.withLock { ($0.machine[node], $0[node].isFresh) }
    #expect(record == TreeMachine.Record(), "a new lifecycle has the record of one that was released")
    #expect(isFresh, "a new lifecycle has the objects of one that was released")
    made = made.filter { $0.object != nil } + [Weak(interactor.lifecycle)]
    return interactor
  }

  /// Releases the router at a place within an access to the places.
  private func replace(_ place: Int, by router: DrivenRouter?) {
    isReleasing = true
    Self.replace(place, of: &places, by: router)
    isReleasing = false
  }

  private static func replace(_ place: Int, of places: inout [DrivenRouter?], by router: DrivenRouter?) {
    places[place - 1] = router
  }

  /// Attaches a router unless that is misuse, which no other observer is there to handle.
  private func attach(_ child: Int, to parent: Int) async {
    guard let child = router(child), let parent = router(parent) else { return }
    let event = TreeMachine.Event.attach(child.node.number, to: parent.node.number, in: CallbackFrame.currentName)
    var machine = TreeDriver.state.withLock { $0.machine }
    guard machine.handle(event, onMain: true).mistake == nil else { return }
    let isAttached = await parent.attachChild(child)
    check()
    #expect(!isAttached || parent.children.contains { $0 === child }, "an attach says that it is attached, and is not")
  }

  private func detach(_ child: Int) async {
    guard let child = router(child), let parent = child.parent else { return }
    await parent.detachChild(child)
  }

  private func wait(for place: Int) {
    guard let lifecycle = router(place)?.interactor.lifecycle else { return }
    openWaits += 1
    // Elsewhere than on the main actor, so that it may go on long after it is answered, and be cancelled in between.
    waits.append(
      Task { @concurrent in
        try? await lifecycle.whenActive()
        await self.endWait()
      })
  }

  private func endWait() { openWaits -= 1 }

  private func moveAway(_ place: Int) async {
    await detach(place)
    await attach(place, to: place % (Self.count - 1) + 1)
  }

  /// Attaches more nodes with default callbacks, each below the last, than one decision may carry through.
  private func grow(at place: Int) async {
    guard var last = router(place), !last.hasGrown else { return }
    last.hasGrown = true
    for _ in 0..<36 {
      let next = DrivenRouter(interactor(.defaults, at: 0))
      next.field = self
      await last.attachChild(next)
      last = next
    }
  }

}

/// The judgement.
extension DriverField {
  private var routers: [DrivenRouter] {
    var (found, open): ([DrivenRouter], [DrivenRouter]) = ([], [root] + places.compactMap(\.self))
    while let next = open.popLast() {
      guard !found.contains(where: { $0 === next }) else { continue }
      found.append(next)
      open += next.children.compactMap { $0 as? DrivenRouter }
    }
    return found
  }

  /// Between the driver's decisions the machine has its invariants.
  func check() {
    #expect(!isReleasing, "something of the user's runs while a router is released")
    let nodes = routers.map(\.node.number)
    let broken = TreeDriver.state.withLock { TreeInvariant.broken(in: $0.machine, at: nodes) }
    #expect(broken == nil)
  }

  func checkRest() {
    check()
    for router in routers {
      let record = TreeDriver.state.withLock { $0.machine[router.node.number] }
      #expect(
        record.phase == (record.wantedState == .active ? .active : .inactive), "L3: what is wanted has not come true")
      let isBusy = record.isRestless || record.isWaking || record.isLeaving || record.awaitsMain
      #expect(!isBusy, "L3: something is left to be done")
      let isKnown = router.children.allSatisfy { ($0 as? DrivenRouter)?.parent === router }
      #expect(isKnown, "T1: the children are not those of the machine")
    }
  }

  /// Drops all but the root, and then it; a wait ends with the router that it waits for.
  func end() async {
    for place in 1...Self.count { replace(place, by: nil) }
    for child in root.children { await root.detachChild(child) }
    await CurrentExecution.scope?.quiescence()
    DeferredReleases.startOver()
    let left = made.filter { $0.object != nil }.count
    #expect(left == 0, "\(left) lifecycles are left of what was dropped")
    #expect(openWaits == 0, "L11: \(openWaits) waits go on for what is released")
    await root.interactor.deactivate()
  }
}

extension TreeDriver.Side {
  fileprivate var isFresh: Bool {
    router == nil && frame == nil && load == nil && extras == nil && !isVisited && formerParent == .none
  }
}
