// SPDX-License-Identifier: Apache-2.0
public import Observation

/// What an interactor shows things on: a feature refines it with the calls that its interactor makes.
///
///     protocol HomePresentable: Presentable, Sendable {
///       func presentUser(_ user: User) async
///     }
///
/// A view controller may conform to it directly, or a `Presenter` stands between the two.
@MainActor
public protocol Presentable: AnyObject {}

/// Turns what the interactor knows into what a view shows.
///
///     @Observable
///     final class HomePresenter: Presenter<any HomeViewControllable>, HomePresentable {
///       var displayName = ""
///       func presentUser(_ user: User) async { displayName = user.name.uppercased() }
///     }
///
/// Observation reaches the stored properties of the class that is marked `@Observable`; a subclass whose own properties
/// a view is to follow says so itself, as above.
@MainActor
@Observable
open class Presenter<ViewControllerType>: Presentable {
  /// The view controller, by the type under which the feature knows it.
  public let viewController: ViewControllerType

  /// Takes the view controller to present to.
  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}
