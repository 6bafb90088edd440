// SPDX-License-Identifier: Apache-2.0
import Napkin

// A feature without a view, which is built off the main actor.

protocol OvenListener: AnyObject, Sendable {
  func ovenDidFinish() async
}

@MainActor protocol OvenRouting: Routing {}

protocol OvenBuildable: Buildable {
  func build(withListener listener: any OvenListener) async -> any OvenRouting
}

final actor OvenInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var listener: (any OvenListener)?

  init(listener: any OvenListener) { self.listener = listener }
  func bell() async { await listener?.ovenDidFinish() }
}

@MainActor
final class OvenRouter: Router<OvenInteractor>, OvenRouting {}

nonisolated final class OvenBuilder: Builder<any EmptyDependency>, OvenBuildable, @unchecked Sendable {
  func build(withListener listener: any OvenListener) async -> any OvenRouting {
    await OvenRouter(interactor: OvenInteractor(listener: listener))
  }
}
