// SPDX-License-Identifier: Apache-2.0
import Napkin

/// An interactor that writes down its callbacks and lets a test fill them.
actor ProbeInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  let name: String
  private let journal: Journal
  private let active: @Sendable (ProbeInteractor) async -> Void
  private let resign: @Sendable (ProbeInteractor) async -> Void

  init(
    _ name: String = "it",
    _ journal: Journal = Journal(),
    active: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in },
    resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }
  ) {
    self.name = name
    self.journal = journal
    self.active = active
    self.resign = resign
  }

  func didBecomeActive() async {
    journal.write("\(name) active")
    await active(self)
    journal.write("\(name) active ended")
  }

  func willResignActive() async {
    journal.write("\(name) resign")
    await resign(self)
    journal.write("\(name) resign ended")
  }
}

/// A router that writes its load down and lets a test fill it.
@MainActor
final class ProbeRouter: Router<ProbeInteractor> {
  let name: String
  private let journal: Journal
  var onLoad: (ProbeRouter) async -> Void

  init(
    _ name: String,
    _ journal: Journal = Journal(),
    load: @escaping (ProbeRouter) async -> Void = { _ in },
    active: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in },
    resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }
  ) {
    self.name = name
    self.journal = journal
    onLoad = load
    super.init(interactor: ProbeInteractor(name, journal, active: active, resign: resign))
  }

  override func didLoad() async {
    journal.write("\(name) load")
    await onLoad(self)
    journal.write("\(name) load ended")
  }

  var names: [String] { children.compactMap { ($0 as? ProbeRouter)?.name } }
}

/// An interactor that keeps every default, and a router for it: the cheapest node there is.
actor PlainInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// A routing that is no `Router`, as a user's mock is.
@MainActor
final class StrangeRouter: Routing {
  let probe: ProbeInteractor
  private(set) var children: [any Routing] = []
  private(set) var loads = 0

  init(
    _ name: String, _ journal: Journal = Journal(),
    resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }
  ) {
    probe = ProbeInteractor(name, journal, resign: resign)
  }

  var interactable: any Interactable { probe }
  func load() async { loads += 1 }
  func loaded() async {}

  func attachChild(_ child: any Routing) async {
    keep(child)
    await child.interactable.activate()
    await child.load()
  }

  func detachChild(_ child: any Routing) async {
    await child.interactable.deactivate()
    forget(child)
  }

  /// Has it, and asks nothing of it.
  func keep(_ child: any Routing) { children.append(child) }

  /// Has it no more, and asks nothing of it.
  func forget(_ child: any Routing) { children.removeAll { $0 === child } }
}

/// Holds something weakly where a closure would have to capture a variable.
final class Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
  weak var object: Object?
  init(_ object: Object? = nil) { self.object = object }
}
