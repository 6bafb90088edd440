// SPDX-License-Identifier: Apache-2.0

/// Whatever assembles a napkin: a feature refines it with its own `build` method, which the parent's router calls.
///
///     protocol ProfileBuildable: Buildable {
///       @MainActor func build(withListener listener: any ProfileListener) async -> any ProfileRouting
///     }
public protocol Buildable: AnyObject, Sendable {}

/// Assembles the parts of one feature, each time it is asked, from what the parent provides.
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
  /// What the parent provides.
  public let dependency: DependencyType

  /// Takes the parent's component, as the protocol that this feature asks for.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}
