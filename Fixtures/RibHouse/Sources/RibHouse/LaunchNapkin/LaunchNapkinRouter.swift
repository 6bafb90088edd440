// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LaunchViewControllable: ViewControllable {
  func show(_ viewController: (any ViewControllable)?)
}

/// Swaps the logged-out napkin for the logged-in one, and back.
class LaunchNapkinRouter: LaunchRouter<LaunchInteractor, any LaunchViewControllable>,
  LaunchNapkinRouting
{
  private let loggedOutBuilder: any LoggedOutBuildable
  private let loggedInBuilder: any LoggedInBuildable

  private var wanted: Session?
  private var current: Session?
  private var child: (any ViewableRouting)?
  private var isSwapping = false

  init(
    interactor: LaunchInteractor,
    viewController: any LaunchViewControllable,
    loggedOutBuilder: any LoggedOutBuildable,
    loggedInBuilder: any LoggedInBuildable
  ) {
    self.loggedOutBuilder = loggedOutBuilder
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  /// One swap at a time: whoever comes while one is under way leaves its wish and goes, and the newest wish is carried out.
  func route(to session: Session) async {
    wanted = session
    guard !isSwapping else { return }
    isSwapping = true
    // No suspension stands between the last look at `wanted` and this, so no wish is lost.
    defer { isSwapping = false }
    while let session = wanted, session != current {
      current = session
      await swap(for: session)
    }
  }

  private func swap(for session: Session) async {
    viewController.show(nil)
    if let child {
      self.child = nil
      await detachChild(child)
    }
    let next = await build(for: session)
    child = next
    await attachChild(next)
    viewController.show(next.viewControllable)
  }

  private func build(for session: Session) async -> any ViewableRouting {
    switch session {
    case .loggedOut: await loggedOutBuilder.build(withListener: interactor)
    case .loggedIn(let guest): await loggedInBuilder.build(withListener: interactor, guest: guest)
    }
  }
}
