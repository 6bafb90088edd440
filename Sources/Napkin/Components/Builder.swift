// SPDX-License-Identifier: Apache-2.0

/// A type that assembles a napkin; a feature refines it with a `build` method, which the parent's router calls.
///
///     protocol ProfileBuildable: Buildable {
///       @MainActor func build(withListener listener: any ProfileListener) async -> any ProfileRouting
///     }
public protocol Buildable: AnyObject, Sendable {}

/// Assembles the parts of one feature from the dependencies that its parent provides, anew for each build.
///
///     nonisolated final class ProfileBuilder: Builder<any ProfileDependency>, ProfileBuildable {
///       @MainActor
///       func build(withListener listener: any ProfileListener) async -> any ProfileRouting {
///         let component = ProfileComponent(dependency: dependency)
///         let interactor = ProfileInteractor(store: component.store)
///         let router = ProfileRouter(interactor: interactor)
///         await interactor.wire(router: router, listener: listener)
///         return router
///       }
///     }
///
/// A subclass is nonisolated as this class is, in a target whose default isolation is the main actor as well.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise, and because a `DependencyType` that is not
/// `Sendable` may be handed in; a subclass answers for the stored properties that it adds.
nonisolated open class Builder<DependencyType>: Buildable, @unchecked Sendable {
  /// The dependencies that the parent provides.
  public let dependency: DependencyType

  /// Creates a builder.
  ///
  /// - Parameter dependency: The parent's component, as the protocol that this feature depends on.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}
