// SPDX-License-Identifier: Apache-2.0

/// A componentized builder for a feature whose build takes no values from outside.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class SimpleComponentizedBuilder<Component, Router>: ComponentizedBuilder<Component, Router, (), ()>,
  @unchecked Sendable
{
  /// Takes the closure that makes a component; it must hand out a new one each time.
  public init(componentBuilder: @escaping @Sendable () -> Component) {
    super.init { _ in componentBuilder() }
  }

  /// Makes a component and, from it, the router.
  public final func build() -> Router {
    build(withDynamicBuildDependency: (), dynamicComponentDependency: ())
  }

  /// Leads to the method that takes the component alone.
  public final override func build(with component: Component, _ dynamicBuildDependency: ()) -> Router {
    build(with: component)
  }

  /// Overridden by the subclass, which assembles the feature here; called by `build()` alone.
  open func build(with component: Component) -> Router {
    Misuse.stop(notOverridden: "build(with:)", by: self)
  }
}
