// SPDX-License-Identifier: Apache-2.0

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
