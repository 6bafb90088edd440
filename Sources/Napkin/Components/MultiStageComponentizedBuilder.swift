// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Assembles a feature in several steps that share one component, until the final stage ends the pass.
///
///     let theme = builder.componentForCurrentBuildPass.theme            // opens the pass
///     let router = builder.finalStageBuild(withDynamicDependency: user) // the same component; closes the pass
///
/// Any thread may ask: all callers within one pass get the same component, made once. The final stage closes the pass
/// that it built from, and no other.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class MultiStageComponentizedBuilder<Component, Router, DynamicBuildDependency>: Buildable,
  @unchecked Sendable
{
  private let componentBuilder: @Sendable () -> Component
  private let componentCheck = UniqueComponentCheck()

  /// The component of the pass that is open, if one is.
  private let openPass = Mutex<SharedInstance<Component>?>(nil)

  /// Takes the closure that makes a component; it must hand out a new one each time.
  public init(componentBuilder: @escaping @Sendable () -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// The component that every stage of this build pass uses; the first to ask opens the pass.
  public final var componentForCurrentBuildPass: Component {
    component(of: currentPass())
  }

  /// Builds the router from the pass's component, and closes the pass: the next one has a component of its own.
  public final func finalStageBuild(withDynamicDependency dynamicDependency: DynamicBuildDependency) -> Router {
    let pass = currentPass()
    // After the build, which may still ask for the component of this pass.
    defer { openPass.withLock { if $0 === pass { $0 = nil } } }
    return finalStageBuild(with: component(of: pass), dynamicDependency)
  }

  /// Overridden by the subclass, which assembles the feature here; called by the final method alone.
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

/// A multi-stage builder for a feature whose final stage takes no values from outside.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class SimpleMultiStageComponentizedBuilder<Component, Router>: MultiStageComponentizedBuilder<
  Component, Router, ()
>, @unchecked Sendable
{
  /// Builds the router from the pass's component, and closes the pass: the next one has a component of its own.
  public final func finalStageBuild() -> Router {
    finalStageBuild(withDynamicDependency: ())
  }

  /// Leads to the method that takes the component alone.
  public final override func finalStageBuild(with component: Component, _ dynamicDependency: ()) -> Router {
    finalStageBuild(with: component)
  }

  /// Overridden by the subclass, which assembles the feature here; called by `finalStageBuild()` alone.
  open func finalStageBuild(with component: Component) -> Router {
    Misuse.stop(notOverridden: "finalStageBuild(with:)", by: self)
  }
}
