// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// A tree beside its model: every call reaches both at the same moment.
@MainActor
final class TreeField {
  /// The calls that a callback of a node makes from inside (T8), the last of a script first.
  enum Inside: Sendable, CaseIterable { case nothing, leave, comeBack, detachParent, adopt, bindLeave, hubDown, hubUp }

  let routers: [ProgramRouter]
  private var model: TreeModel
  private var scripts: [[Inside]]
  private var inFlight = 0
  /// A call from inside that leads further has returned before it takes effect, if there ever was one.
  private var wasCalledFromInside = false
  private var refused = 0
  private var waiters: [Task<Void, Never>] = []
  private let watcher = Watcher(taking: "ProgramRouter", "OddProgramRouter")

  /// Takes the scripts of the nodes that move; the root and the hub have none.
  init(_ scripts: [[Inside]]) async {
    self.scripts = [[], []] + scripts
    let field = Weak<TreeField>()
    routers = self.scripts.indices.map { number in
      let type = number % 2 == 1 ? OddProgramRouter.self : ProgramRouter.self
      return type.init(number, hasLeaf: number > 1 && number % 2 == 1) { await field.object?.callBack(number) }
    }
    model = TreeModel()
    await routers[0].interactor.activate()
    await routers[0].attachChild(routers[TreeModel.hub])
    // An even node has been there before, so it sleeps wherever it is detached to; an odd one loads yet.
    for router in routers.dropFirst(2) where router.number % 2 == 0 {
      await routers[0].attachChild(router)
      await routers[0].detachChild(router)
    }
    field.object = self
    for router in routers {
      router.loadBegins = { [number = router.number] in
        let isWanted = field.object?.model.parents[number] != nil
        #expect(isWanted, "T6: \(number) is loaded, though it was detached before that")
      }
    }
  }

  private func callBack(_ node: Int) async {
    guard let parent = model.parents[node] else { return }
    switch scripts[node].popLast() {
    case nil, .nothing: break
    case .leave: await detach(node, parent, isInside: true)
    case .comeBack:
      await detach(node, parent, isInside: true)
      // Another caller may have been faster.
      if model.parents[node] == nil, !model.path(from: parent).contains(node) {
        await attach(node, parent, isInside: true)
      }
    case .detachParent:
      // An attach waits for its child's callback, which must not wait in turn for the node that attaches it.
      guard node < TreeModel.firstLeaf || routers[parent].numbers.contains(node) else { break }
      if parent > TreeModel.hub, let above = model.parents[parent] { await detach(parent, above, isInside: true) }
    case .adopt:
      // Adopted nodes adopt none themselves, so no two callbacks wait for each other.
      if node < TreeModel.firstLeaf { await attach(TreeModel.firstLeaf + node % 2, node) }
    case .bindLeave:
      routers[node].interactor.task {
        if let parent = await self.model.parents[node] { await self.detach(node, parent, isInside: true) }
      }
    case .hubDown: if isStandingUnderHub(node) { await setHub(isDown: true, isInside: true) }
    case .hubUp: if isStandingUnderHub(node) { await setHub(isDown: false, isInside: true) }
    }
  }

  /// Whether a node may call the hub: any other would wait for the hub, which may wait for it.
  private func isStandingUnderHub(_ node: Int) -> Bool {
    routers[TreeModel.hub].subtree.contains { $0 === routers[node] }
  }

  func carryOut(_ call: TreeCall) async {
    switch call {
    case .attach(let child, let parent): await attach(child, parent)
    case .detach(let child, let parent): await detach(child, parent)
    case .move(let child, let parent):
      if let old = model.parents[child] { await detach(child, old) }
      await attach(child, parent)
    case .setHub(let isDown): await setHub(isDown: isDown)
    case .awaitLoad(let node): waitForLoad(of: routers[node])
    case .bind(let node, let call): routers[node].interactor.task { await self.carryOut(call) }
    }
  }

  /// Nothing else is under way that the model takes for done.
  private var isAlone: Bool { inFlight == 0 && !wasCalledFromInside }

  private func attach(_ child: Int, _ parent: Int, isInside: Bool = false) async {
    // A child that has not left yet counts as standing there (T2).
    let isLeaving = model.parents[child] == nil && child != parent && stands(parent, below: child)
    if let mistake = isLeaving ? .ancestor : model.attach(child, under: parent) {
      return await misuse(child, parent, mistake)
    }
    if isInside { wasCalledFromInside = true }
    let (call, allCalls, isAlone) = (model.calls[child], model.allCalls, self.isAlone)
    inFlight += 1
    await routers[parent].attachChild(routers[child])
    inFlight -= 1
    // T1, unless there was another call about the child, or about a node above it, meanwhile.
    guard !isInside, model.calls[child] == call, model.isUnderRoot(child) else { return }
    #expect(routers[parent].numbers.contains(child), "T1: the attach of \(child) returned without it")
    guard isAlone, model.allCalls == allCalls else { return }
    #expect(routers[child].isActive == model.isAwake(child), "T1: the attach of \(child) returned too early")
    if model.isAwake(child) { #expect(routers[child].loads == 1, "T1: \(child) has not loaded") }
  }

  /// Whether a node stands below another, or will if all that is wanted comes true.
  private func stands(_ node: Int, below top: Int) -> Bool {
    var open = [node]
    while let next = open.popLast() {
      if next == top { return true }
      if let wanted = model.parents[next] { open.append(wanted) }
      open += routers.indices.filter { routers[$0].numbers.contains(next) && model.parents[next] != $0 }
    }
    return false
  }

  /// Nothing suspends in it, so no other task can have changed the tree meanwhile.
  ///
  /// Where steps are split, a callback may have begun or ended elsewhere, which changes what is active.
  private func misuse(_ child: Int, _ parent: Int, _ mistake: TreeModel.Mistake) async {
    refused += 1
    let (tree, active) = (routers.map(\.numbers), routers.map(\.isActive))
    await routers[parent].attachChild(routers[child])
    let line = #line - 1
    #expect(routers.map(\.numbers) == tree, "M1, T2: misuse has changed the tree")
    let othersGoOn = Instrumentation.splitsSteps
    #expect(othersGoOn || routers.map(\.isActive) == active, "M1, T2: misuse has changed what is active")
    guard watcher.misuses.count == refused, let misuse = watcher.misuses.last else {
      Issue.record("M1, T2: \(child) under \(parent) is misuse, and not reported once")
      return
    }
    let name = { (number: Int) in number % 2 == 1 ? "OddProgramRouter" : "ProgramRouter" }
    let names =
      switch mistake {
      case .itself: [name(child)]
      case .attached(let owner): [name(child), name(parent), name(owner)]
      case .ancestor: [name(child), name(parent)]
      }
    #expect(misuse.rule == "T2" && misuse.routers == names, "M1: another rule, or other routers")
    #expect(names.allSatisfy { misuse.message.contains(" \($0)") }, "M1: the message leaves a router out")
    #expect(misuse.callSite?.line == line && misuse.callSite?.filePath == #filePath, "M1: another caller's line")
  }

  private func detach(_ child: Int, _ parent: Int, isInside: Bool = false) async {
    let isChild = model.parents[child] == parent
    let isLeaving = !isChild && routers[parent].numbers.contains(child)
    model.detach(child, from: parent)
    let (call, allCalls) = (model.calls[child], model.allCalls)
    inFlight += 1
    await routers[parent].detachChild(routers[child])
    inFlight -= 1
    if isLeaving, !isInside, model.calls[child] == call {
      #expect(!routers[parent].numbers.contains(child), "T3: a second detach of \(child) has not waited for the first")
    }
    guard isChild, !isInside, model.allCalls == allCalls else { return }
    #expect(!routers[parent].numbers.contains(child), "T3, T4: the detach of \(child) returned with it")
    for router in routers[child].subtree where child % 2 == 0 {
      #expect(!router.isActive, "T4: the detach of \(child) returned with \(router.number) active")
    }
  }

  private func setHub(isDown: Bool, isInside: Bool = false) async {
    model.setHub(isDown: isDown)
    if isInside { wasCalledFromInside = true }
    let (hub, allCalls, isAlone) = (routers[TreeModel.hub], model.allCalls, self.isAlone)
    inFlight += 1
    if isDown { await hub.interactor.deactivate() } else { await hub.interactor.activate() }
    inFlight -= 1
    guard !isInside, model.allCalls == allCalls else { return }
    #expect(hub.isActive != isDown, "L3: the hub's call returned too early")
    // A node that is still joining is put to sleep by the call that attaches it.
    guard isDown, isAlone else { return }
    for router in hub.subtree { #expect(!router.isActive, "T7: \(router.number) is active") }
  }

  private func waitForLoad(of router: ProgramRouter) {
    waiters.append(
      Task {
        await router.loaded()
        if !Task.isCancelled { #expect(router.loads == 1, "T9: loaded() of \(router.number) returned too early") }
      })
  }

  /// At rest the tree is that of the model.
  func compare() async {
    await CurrentExecution.scope?.quiescence()
    for router in routers {
      let node = router.number
      let expected = routers.indices.filter { model.parents[$0] == node }
      #expect(router.numbers.sorted() == expected, "T1, T2, T3, T6: the children of \(node)")
      // Below a router that was never active everything is (T7), and an odd one may be such.
      if model.isUnderRoot(node) || model.path(from: node).last.map({ $0 % 2 == 0 }) == true {
        #expect(router.isActive == (node == 0 || model.isAwake(node)), "T1, T4, T5, T7, T8: \(node)")
      }
      if node > TreeModel.hub, model.isAwake(node) { #expect(router.loads == 1, "T1: \(node) has not loaded") }
      if let leaf = router.leaf, router.loads == 1 {
        #expect(leaf.isActive == router.isActive, "T6: what \(node) attached as it loaded")
      }
    }
    #expect(watcher.misuses.count == refused, "T2: what is no misuse was reported")
  }

  /// Ends everything: a task that still waits for a load is cancelled (T9), and no callback has anything left to do.
  func end() async {
    scripts = scripts.map { _ in [] }
    for waiter in waiters {
      waiter.cancel()
      await waiter.value
    }
    await routers[0].interactor.deactivate()
    watcher.stop()
  }
}
