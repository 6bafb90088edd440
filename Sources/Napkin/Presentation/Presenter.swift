// SPDX-License-Identifier: Apache-2.0
public import Observation

/// The output of an interactor; a feature refines it with the calls that its interactor makes.
///
///     protocol HomePresentable: Presentable, Sendable {
///       func presentUser(_ user: User) async
///     }
///
/// A view controller conforms to it directly, or a ``Presenter`` does.
@MainActor
public protocol Presentable: AnyObject {}

/// Translates the values of an interactor into those that a view shows.
///
///     @Observable
///     final class HomePresenter: Presenter<any HomeViewControllable>, HomePresentable {
///       var displayName = ""
///       func presentUser(_ user: User) async { displayName = user.name.uppercased() }
///     }
///
/// A subclass whose own properties a view observes is marked `@Observable` itself, as above.
@MainActor
@Observable
open class Presenter<ViewControllerType>: Presentable {
  /// The view controller, as the type that the feature uses.
  public let viewController: ViewControllerType

  /// Creates a presenter for a view controller.
  public init(viewController: ViewControllerType) {
    self.viewController = viewController
  }
}
