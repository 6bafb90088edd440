// SPDX-License-Identifier: Apache-2.0

/// The root of a tree, which comes up in a window instead of being attached to a parent.
@MainActor
public protocol LaunchRouting: ViewableRouting {
  /// Shows the root's view in a window, then activates the root and loads it.
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
  /// Takes an interactor and a view controller, which must be a `ViewControllable`, whatever type it goes by here.
  public override init(interactor: InteractorType, viewController: ViewControllerType) {
    super.init(interactor: interactor, viewController: viewController)
  }

  /// Shows the root's view in a window, then activates the root and loads it.
  ///
  /// However often it is called, and from however many tasks, a root that is active stays as it is and `didLoad()` runs
  /// once. The window is asked to show the view each time, so that a scene that comes back may bring a new one.
  public final func launch(from window: any LaunchWindow) async {
    window.show(root: viewControllable)
    await interactable.activate()
    await load()
  }
}
