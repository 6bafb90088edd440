// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A mock router with a view, which is a `MockViewController` unless another one is handed over.
///
///     final class ProfileRouterMock: MockViewableRouter, ProfileRouting {}
@MainActor
open class MockViewableRouter: MockRouter, ViewableRouting {
  /// What a parent presents, pushes or embeds.
  public let viewControllable: any ViewControllable

  /// Takes an interactor, and the view to be shown.
  public init(
    interactor: any Interactable = MockInteractor(),
    viewController: any ViewControllable = MockViewController()
  ) {
    viewControllable = viewController
    super.init(interactor: interactor)
  }
}
