// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@MainActor
@Suite(.serialized, .timeLimit(.minutes(60))) struct TreeObserverTests {
  private final class BranchRouter: Router<PlainInteractor> {
    var kept: (any Routing)?
    var references: References?
  }

  private final class Helper {}

  private struct References {
    unowned let helper: Helper
    weak var child: TwigRouter?
  }

  private final class TwigRouter: Router<PlainInteractor> {}
  private final class StrangerRouter: Router<PlainInteractor> {}

  private final actor Grasping: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private var others: [String: any Routing] = [:]
    private weak var weakly: (any Routing)?
    func keep(_ router: any Routing) { others["it"] = router }
    func know(_ router: any Routing) { weakly = router }
  }

  /// An observer of the routers of these tests alone.
  private func makeObserver() -> TreeObserver { TreeObserver(of: ["BranchRouter", "TwigRouter", "Router<Grasping>"]) }

  /// The leaks that an observer reports, as long as it lives: three seconds after a router has left.
  private func leaks(reportedBy observer: TreeObserver) -> Recorder<TreeObserver.Leak> {
    let leaks = Recorder<TreeObserver.Leak>()
    observer.watchLeaks(after: .seconds(3)) { leaks.record($0) }
    return leaks
  }

  private func branch() -> BranchRouter { BranchRouter(interactor: PlainInteractor()) }
  private func twig() -> TwigRouter { TwigRouter(interactor: PlainInteractor()) }

  /// The lines of a stream up to one of them.
  private func lines(_ stream: AsyncStream<TreeObserver.Event>, until last: String) async -> [String] {
    var lines: [String] = []
    for await event in stream where "\(event)".contains("Branch") || "\(event)".contains("Twig") {
      lines.append("\(event)")
      if lines.last == last { break }
    }
    return lines
  }

  @Test func `events come in their order, with a number from the second napkin of a name on`() async {
    let observer = makeObserver()
    let events = observer.events
    let root = branch()
    await root.interactor.activate()
    for child in [twig(), twig()] {
      await root.attachChild(child)
      await root.detachChild(child)
    }
    let expected = [
      "BranchRouter is active",
      "TwigRouter is attached to BranchRouter", "TwigRouter is active", "TwigRouter is loaded",
      "TwigRouter is inactive", "TwigRouter has left BranchRouter",
      "TwigRouter #2 is attached to BranchRouter", "TwigRouter #2 is active", "TwigRouter #2 is loaded",
      "TwigRouter #2 is inactive", "TwigRouter #2 has left BranchRouter",
    ]
    let seen = await lines(events, until: "TwigRouter #2 has left BranchRouter")
    #expect(seen.filter { !$0.hasSuffix("released") } == expected)
  }

  @Test func `a child leaves a parent that is released`() async {
    let observer = makeObserver()
    let events = observer.events
    var root: BranchRouter? = branch()
    let child = twig()
    await root?.attachChild(child)
    root = nil
    let seen = await lines(events, until: "BranchRouter is released")
    #expect(seen.suffix(2) == ["TwigRouter has left BranchRouter", "BranchRouter is released"])
    withExtendedLifetime(child) {}
  }

  @Test func `a misuse is an event, and stops what it stopped before`() async {
    let observer = makeObserver()
    let events = observer.events
    let watcher = Watcher(taking: "BranchRouter")
    let root = branch()
    await root.attachChild(root)
    for await event in events {
      guard case .misuse(let message) = event, message.contains("BranchRouter") else { continue }
      #expect(message.hasSuffix("(T2)"))
      break
    }
    #expect(watcher.misuses.count == 1)
    watcher.stop()
  }

  /// A stream keeps 1,000 events, and other tests misuse their own routers meanwhile.
  @Test func `an observer of some types gets no misuse of others`() async {
    let observer = makeObserver()
    let events = observer.events
    let watcher = Watcher(taking: "StrangerRouter")
    let root = branch()
    await root.interactor.activate()
    let stranger = StrangerRouter(interactor: PlainInteractor())
    for _ in 0..<1_001 { await stranger.attachChild(stranger) }
    #expect(await lines(events, until: "BranchRouter is active") == ["BranchRouter is active"])
    watcher.stop()
    await root.interactor.deactivate()
  }

  @Test func `the streams of an observer finish when it is released`() async {
    var observer: TreeObserver? = makeObserver()
    let events = observer!.events
    observer = nil
    for await _ in events where Bool(false) {}
  }

  @Test func `a snapshot shows the tree as text and as a flowchart`() async {
    let (root, child) = (branch(), branch())
    await root.interactor.activate()
    await root.attachChild(child)
    await root.attachChild(twig())
    await child.attachChild(twig())
    child.interactor.task { await untilCancelled() }
    await child.children.first?.interactable.deactivate()
    let snapshot = TreeObserver.Snapshot(of: root)
    #expect(
      snapshot.description == """
        BranchRouter (active)
        ├─ BranchRouter (active, 1 bound task)
        │  └─ TwigRouter (inactive)
        └─ TwigRouter (active)
        """)
    #expect(
      snapshot.mermaid == """
        flowchart TD
          N0["BranchRouter<br/>active"]
          N1["BranchRouter<br/>active, 1 bound task"]
          N2["TwigRouter<br/>inactive"]:::inactive
          N3["TwigRouter<br/>active"]
          N0 --> N1
          N1 --> N2
          N0 --> N3
          classDef inactive stroke-dasharray: 4 4
        """)
    await root.interactor.deactivate()
  }

  @Test func `a napkin that is older than the observer is known after a snapshot`() async {
    let (root, child) = (branch(), twig())
    await root.attachChild(child)
    let observer = makeObserver()
    let events = observer.events
    _ = observer.snapshot(of: root)
    await root.detachChild(child)
    let seen = await lines(events, until: "TwigRouter has left BranchRouter")
    #expect(seen.last == "TwigRouter has left BranchRouter")
  }

  @Test func `a router that is held after its detach is reported with what holds it`() async {
    await explore(executions: 5) { @MainActor in
      let observer = makeObserver()
      let leaks = leaks(reportedBy: observer)
      let root = branch()
      let keeper = Router(interactor: Grasping())
      await root.interactor.activate()
      await root.attachChild(keeper)
      let child = twig()
      root.kept = child
      await keeper.interactor.keep(child)
      await keeper.interactor.know(child)
      await root.attachChild(child)
      await root.detachChild(child)
      let found = await leaks.events(atLeast: 1)
      #expect(
        found.map(\.description) == [
          """
          TwigRouter has left BranchRouter 3.0 seconds ago and is not released: BranchRouter.kept, Grasping.others[0] hold it.
          """
        ])
      await root.interactor.deactivate()
    }
  }

  @Test func `a weak property of a value holds nothing, and an unowned one is not read`() async {
    await explore(executions: 5) { @MainActor in
      let observer = makeObserver()
      let leaks = leaks(reportedBy: observer)
      let root = branch()
      await root.interactor.activate()
      let child = twig()
      root.references = References(helper: Helper(), child: child)
      await root.attachChild(child)
      await root.detachChild(child)
      let found = await leaks.events(atLeast: 1)
      #expect(found.map(\.holders) == [[]])
      withExtendedLifetime(child) {}
      await root.interactor.deactivate()
    }
  }

  @Test func `what is released in time, or attached again, is no leak`() async {
    await explore(executions: 5) { @MainActor in
      let observer = makeObserver()
      let leaks = leaks(reportedBy: observer)
      let root = branch()
      await root.interactor.activate()
      let tab = branch()
      await root.attachChild(tab)
      await root.detachChild(tab)
      await root.attachChild(tab)
      do {
        let child = twig()
        await root.attachChild(child)
        await root.detachChild(child)
      }
      try await Task.sleep(for: .seconds(10))
      #expect(leaks.events == [])
      await root.interactor.deactivate()
    }
  }

  @Test func `an interactor that outlives its router is reported`() async {
    await explore(executions: 5) { @MainActor in
      let observer = makeObserver()
      let leaks = leaks(reportedBy: observer)
      let root = branch()
      await root.interactor.activate()
      var kept: PlainInteractor?
      do {
        let child = twig()
        kept = child.interactor
        await root.attachChild(child)
        await root.detachChild(child)
      }
      let found = await leaks.events(atLeast: 1)
      #expect(found.map(\.isRouter) == [false])
      #expect(
        found.first?.description.hasPrefix("PlainInteractor has outlived TwigRouter by 3.0 seconds: no property")
          == true)
      withExtendedLifetime(kept) {}
      await root.interactor.deactivate()
    }
  }
}
