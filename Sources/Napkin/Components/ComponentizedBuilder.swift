// SPDX-License-Identifier: Apache-2.0

/// Assembles a feature from a component of its own, a new one for each build.
///
/// The component is made by a closure, so that the creator of the builder decides which one it is, and returned
/// beside the router to a caller that needs both. `build` is synchronous: a router, which lives on the main actor, is made
/// within `MainActor.assumeIsolated`, or by a `Router` parameter that is itself an asynchronous function. Where neither
/// suits, `Builder` and an `async` method of your own are the better choice.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class ComponentizedBuilder<Component, Router, DynamicBuildDependency, DynamicComponentDependency>:
  Buildable,
  @unchecked Sendable
{
  private let componentBuilder: @Sendable (DynamicComponentDependency) -> Component
  private let componentCheck = UniqueComponentCheck()

  /// Takes the closure that makes a component; it must hand out a new one each time.
  public init(componentBuilder: @escaping @Sendable (DynamicComponentDependency) -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// Makes a component and, from it, the router.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> Router {
    let (_, router): (Component, Router) = build(
      withDynamicBuildDependency: dynamicBuildDependency,
      dynamicComponentDependency: dynamicComponentDependency
    )
    return router
  }

  /// Makes a component and, from it, the router; hands both back.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> (Component, Router) {
    let component = componentBuilder(dynamicComponentDependency)
    componentCheck.check(component, of: self)
    return (component, build(with: component, dynamicBuildDependency))
  }

  /// Overridden by the subclass, which assembles the feature here; called by the two final methods alone.
  open func build(with component: Component, _ dynamicBuildDependency: DynamicBuildDependency) -> Router {
    Misuse.stop(notOverridden: "build(with:_:)", by: self)
  }
}

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
