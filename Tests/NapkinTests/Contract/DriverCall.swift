// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@testable import Napkin

/// A call that has the driver do something; place 0 is that of the root.
enum DriverCall: Sendable, CustomStringConvertible {
  enum Kind: Sendable, CaseIterable { case defaults, suspends, interruptsItself, movesAway }

  case make(Int, Kind)
  case drop(Int)
  case attach(Int, to: Int)
  case detach(Int)
  case activate(Int)
  case deactivate(Int)
  case grow(Int)
  case wait(Int)
  case cancelWait(Int)
  case bind(Int)

  var description: String {
    switch self {
    case .make(let place, let kind): "make \(place), which \(kind)"
    case .drop(let place): "drop \(place)"
    case .attach(let child, let parent): "attach \(child) to \(parent)"
    case .detach(let child): "detach \(child)"
    case .activate(let place): "activate \(place)"
    case .deactivate(let place): "deactivate \(place)"
    case .grow(let place): "grow at \(place)"
    case .wait(let place): "wait for \(place)"
    case .cancelWait(let number): "cancel wait \(number)"
    case .bind(let place): "bind to \(place)"
    }
  }

  static let generator: Gen<DriverCall> = {
    let place = Gen<Int>.int(in: 1...DriverField.count)
    let parent = Gen<Int>.int(in: 0...DriverField.count)
    return .frequency([
      (6, Gen.zip(place, .element(of: Kind.allCases)).map { .make($0, $1) }), (3, place.map { .drop($0) }),
      (8, Gen.zip(place, parent).map { .attach($0, to: $1) }), (4, place.map { .detach($0) }),
      (3, place.map { .activate($0) }), (4, parent.map { .deactivate($0) }), (1, place.map { .grow($0) }),
      (3, place.map { .wait($0) }), (2, Gen<Int>.int(in: 0...5).map { .cancelWait($0) }), (1, place.map { .bind($0) }),
    ])
  }()
}

/// A router of a driver's program, with an interactor of any kind.
@MainActor
final class DrivenRouter: Router<any Interactable> {
  weak var field: DriverField?
  var place = 0
  var hasGrown = false

  convenience init(_ interactor: any Interactable) { self.init(interactor: interactor) }

  override func didLoad() async {
    field?.check()
    if place % 2 == 1 { await Task.yield() }
    field?.check()
  }

  var parent: DrivenRouter? {
    let parent = TreeDriver.state.withLock { state in
      let number = state.machine.wantedParent(of: node.number)
      return number == .none ? nil : state.router(number)
    }
    return parent?.owner as? DrivenRouter
  }
}

/// An interactor whose callbacks suspend.
actor DrivenInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak let field: DriverField?

  init(_ field: DriverField) { self.field = field }

  func didBecomeActive() async {
    await field?.check()
    await Task.yield()
    let isInterrupted = TreeDriver.state.withLock { $0.machine[lifecycle.node].isInterrupted }
    // L5: the call that has interrupted it goes on to cancel it, and returns after this callback; else nothing ends the wait.
    if isInterrupted { await untilCancelled() }
  }

  func willResignActive() async {
    await Task.yield()
    await field?.check()
  }
}

/// An interactor whose activation ends when it is cancelled, which another task does before its own is known.
actor InterruptedInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak let field: DriverField?

  init(_ field: DriverField) { self.field = field }

  // On the caller's executor: so the callback begins in the step that starts its task.
  nonisolated(nonsending) func didBecomeActive() async {
    await Task.immediate { [self] in await deactivate() }.value
    await untilCancelled()
  }

  func willResignActive() async { await field?.check() }
}

/// An interactor that keeps the default activation, and whose router goes elsewhere when it resigns.
actor MovingInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let move: @MainActor @Sendable () async -> Void

  init(move: @escaping @MainActor @Sendable () async -> Void) { self.move = move }

  func willResignActive() async { await move() }
}
