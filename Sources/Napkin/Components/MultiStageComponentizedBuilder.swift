// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Assembles a feature in several steps that share one component, until the final stage ends the pass.
///
///     let theme = builder.componentForCurrentBuildPass.theme            // opens the pass
///     let router = builder.finalStageBuild(withDynamicDependency: user) // the same component; closes the pass
///
/// Any thread may call: all callers within one pass get the same component. The final stage closes the pass that it built
/// from, and no other.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
nonisolated open class MultiStageComponentizedBuilder<Component, Router, DynamicBuildDependency>: Buildable,
  @unchecked Sendable
{
  private let componentBuilder: @Sendable () -> Component
  private let componentCheck = UniqueComponentCheck()

  /// The component of the pass that is open, if one is.
  private let openPass = Mutex<SharedInstance<Component>?>(nil)

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: Makes a component, a new one at each call; an instance that is returned twice is
  ///   reported as misuse.
  public init(componentBuilder: @escaping @Sendable () -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// The component that every stage of this build pass uses; the first read opens the pass.
  public final var componentForCurrentBuildPass: Component {
    component(of: currentPass())
  }

  /// Builds the router from the pass's component, and closes the pass: the next one has a component of its own.
  ///
  /// - Parameter dynamicDependency: The value for the router, known only at the build.
  /// - Returns: The router.
  public final func finalStageBuild(withDynamicDependency dynamicDependency: DynamicBuildDependency) -> Router {
    let pass = currentPass()
    // After the build, which may still ask for the component of this pass.
    defer { openPass.withLock { if $0 === pass { $0 = nil } } }
    return finalStageBuild(with: component(of: pass), dynamicDependency)
  }

  /// Assembles the feature; a subclass overrides it without calling `super`.
  open func finalStageBuild(with component: Component, _ dynamicDependency: DynamicBuildDependency) -> Router {
    Misuse.stop(notOverridden: "finalStageBuild(with:_:)", by: self)
  }

  private func currentPass() -> SharedInstance<Component> {
    openPass.withLock { pass in
      if let pass { return pass }
      let new = SharedInstance<Component>(of: "componentForCurrentBuildPass", in: type(of: self))
      pass = new
      return new
    }
  }

  /// Made outside the lock of the pass, since the closure is the user's.
  private func component(of pass: SharedInstance<Component>) -> Component {
    pass.value {
      let component = componentBuilder()
      componentCheck.check(component, of: self)
      return component
    }
  }
}

/// A multi-stage builder for a feature that needs no values at the final stage.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
nonisolated open class SimpleMultiStageComponentizedBuilder<Component, Router>: MultiStageComponentizedBuilder<
  Component, Router, ()
>, @unchecked Sendable
{
  /// Builds the router from the pass's component, and closes the pass: the next one has a component of its own.
  public final func finalStageBuild() -> Router {
    finalStageBuild(withDynamicDependency: ())
  }

  /// Calls ``finalStageBuild(with:)``.
  public final override func finalStageBuild(with component: Component, _ dynamicDependency: ()) -> Router {
    finalStageBuild(with: component)
  }

  /// Assembles the feature; a subclass overrides it without calling `super`.
  open func finalStageBuild(with component: Component) -> Router {
    Misuse.stop(notOverridden: "finalStageBuild(with:)", by: self)
  }
}
