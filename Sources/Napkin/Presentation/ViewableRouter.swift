// SPDX-License-Identifier: Apache-2.0

/// A node of the tree that has a view.
@MainActor
public protocol ViewableRouting: Routing {
  /// The view, which a parent's router presents, pushes or embeds.
  var viewControllable: any ViewControllable { get }
}

/// A router whose napkin has a view.
///
///     final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
///       func routeToProfile() async {
///         let profile = await profileBuilder.build(withListener: interactor)
///         await attachChild(profile)
///         viewController.show(profile.viewControllable)
///       }
///     }
@MainActor
open class ViewableRouter<InteractorType, ViewControllerType>: Router<InteractorType>, ViewableRouting {
  /// The view controller, as the type that the feature uses.
  public let viewController: ViewControllerType

  /// The same view controller, as the type that other routers use.
  public let viewControllable: any ViewControllable

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - interactor: The interactor, which has to be an ``Interactable``; else the process stops.
  ///   - viewController: The view controller, which has to be a ``ViewControllable``; else the process stops.
  public init(interactor: InteractorType, viewController: ViewControllerType) {
    guard let viewControllable = viewController as? any ViewControllable else {
      Misuse.stop(
        rule: "M1",
        message: """
          \(Self.self) was handed a \(type(of: viewController as Any)), which is not a ViewControllable. A parent's \
          router has no way to show it. Let the class conform to ViewControllable, or to a protocol that refines it.
          """
      )
    }
    self.viewController = viewController
    self.viewControllable = viewControllable
    super.init(interactor: interactor)
  }
}
