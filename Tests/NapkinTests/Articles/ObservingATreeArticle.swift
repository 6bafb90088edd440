// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

@MainActor func follow(_ observer: TreeObserver, _ log: @escaping @Sendable (String) -> Void) -> Task<Void, Never> {
  let events = observer.events
  return Task {
    for await event in events {
      switch event {
      case .attached, .detached, .misuse: log("\(event)")
      default: break
      }
    }
  }
}

@MainActor func watch(_ observer: TreeObserver) {
  #if DEBUG
  observer.watchLeaks(after: .seconds(5), ignoring: ["TabRouter"]) { leak in
    print("Napkin: \(leak)")
  }
  #endif
}

@MainActor func pageOfTheTree(_ observer: TreeObserver, _ root: any Routing) -> String {
  let snapshot = observer.snapshot(of: root)
  let active = snapshot.nodes.count { $0.isActive }
  return "\(active) of \(snapshot.nodes.count) are active\n\n```mermaid\n\(snapshot.mermaid)\n```\n"
}

private final actor LeafInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

private final class ObservedLeafRouter: Router<LeafInteractor> {}

@MainActor @Suite struct ObservingATreeArticle {
  @Test func `what is shown works`() async {
    let observer = TreeObserver(of: ["ObservedLeafRouter"])
    watch(observer)
    let lines = Recorder<String>()
    let following = follow(observer) { if $0.contains("ObservedLeaf") { lines.record($0) } }
    let root = ObservedLeafRouter(interactor: LeafInteractor())
    let leaf = ObservedLeafRouter(interactor: LeafInteractor())
    await root.attachChild(leaf)
    #expect(await lines.events(atLeast: 1) == ["ObservedLeafRouter #2 is attached to ObservedLeafRouter"])
    #expect(pageOfTheTree(observer, root).hasPrefix("1 of 2 are active"))
    following.cancel()
  }
}
