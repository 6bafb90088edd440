// SPDX-License-Identifier: Apache-2.0

/// Assembles a feature from a component of its own, a new one for each build.
///
/// A closure makes the component, so that the creator of the builder decides which one it is. `build` is synchronous: a
/// router, which is isolated to the main actor, is made within `MainActor.assumeIsolated`, or by a `Router` parameter
/// that is an asynchronous function. Where neither is possible, use ``Builder`` with an `async` method of your own.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
nonisolated open class ComponentizedBuilder<Component, Router, DynamicBuildDependency, DynamicComponentDependency>:
  Buildable,
  @unchecked Sendable
{
  private let componentBuilder: @Sendable (DynamicComponentDependency) -> Component
  private let componentCheck = UniqueComponentCheck()

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: Makes a component, a new one at each call; an instance that is returned twice is
  ///   reported as misuse.
  public init(componentBuilder: @escaping @Sendable (DynamicComponentDependency) -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// Makes a component and, from it, the router.
  ///
  /// - Parameters:
  ///   - dynamicBuildDependency: The value for the router, known only at the build.
  ///   - dynamicComponentDependency: The value for the component, known only at the build.
  /// - Returns: The router.
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

  /// Makes a component and, from it, the router, and returns both.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> (Component, Router) {
    let component = componentBuilder(dynamicComponentDependency)
    componentCheck.check(component, of: self)
    return (component, build(with: component, dynamicBuildDependency))
  }

  /// Assembles the feature; a subclass overrides it without calling `super`.
  open func build(with component: Component, _ dynamicBuildDependency: DynamicBuildDependency) -> Router {
    Misuse.stop(notOverridden: "build(with:_:)", by: self)
  }
}

/// A componentized builder for a feature that needs no values at the build.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
nonisolated open class SimpleComponentizedBuilder<Component, Router>: ComponentizedBuilder<Component, Router, (), ()>,
  @unchecked Sendable
{
  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: Makes a component, a new one at each call; an instance that is returned twice is
  ///   reported as misuse.
  public init(componentBuilder: @escaping @Sendable () -> Component) {
    super.init { _ in componentBuilder() }
  }

  /// Makes a component and, from it, the router.
  public final func build() -> Router {
    build(withDynamicBuildDependency: (), dynamicComponentDependency: ())
  }

  /// Calls ``build(with:)``.
  public final override func build(with component: Component, _ dynamicBuildDependency: ()) -> Router {
    build(with: component)
  }

  /// Assembles the feature; a subclass overrides it without calling `super`.
  open func build(with component: Component) -> Router {
    Misuse.stop(notOverridden: "build(with:)", by: self)
  }
}
