// SPDX-License-Identifier: Apache-2.0

/// The root of a tree, which is shown in a window instead of being attached to a parent.
@MainActor
public protocol LaunchRouting: ViewableRouting {
  /// Shows the root's view in a window, then activates the root and loads it.
  ///
  /// - Parameter window: The window, such as a `UIWindow`.
  func launch(from window: any LaunchWindow) async
}

/// The router at the root of an app's tree.
///
///     let router = await RootBuilder(dependency: AppComponent()).build()
///     await router.launch(from: window)
@MainActor
open class LaunchRouter<InteractorType, ViewControllerType>: ViewableRouter<InteractorType, ViewControllerType>,
  LaunchRouting
{
  /// Shows the root's view in a window, then activates the root and loads it.
  ///
  /// Any number of tasks may call it, any number of times: a root that is active stays active, and `didLoad()` runs once.
  /// Each call shows the view in its window, so that a scene that reconnects can pass a new one.
  ///
  /// - Parameter window: The window, such as a `UIWindow`.
  public final func launch(from window: any LaunchWindow) async {
    window.show(root: viewControllable)
    await interactable.activate()
    await load()
  }
}
