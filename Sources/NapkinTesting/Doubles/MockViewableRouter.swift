// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A mock router with a view, which is a `MockViewController` by default.
///
///     final class ProfileRouterMock: MockViewableRouter, ProfileRouting {}
@MainActor
open class MockViewableRouter: MockRouter, ViewableRouting {
  /// The view controller that a parent presents, pushes or embeds.
  public let viewControllable: any ViewControllable

  /// Makes a router with an interactor and a view controller.
  public init(
    interactor: any Interactable = MockInteractor(),
    viewController: any ViewControllable = MockViewController()
  ) {
    viewControllable = viewController
    super.init(interactor: interactor)
  }
}

/// A mock of an app's root, for a test of the code that launches it.
///
///     let root = MockLaunchRouter()
///     await root.launch(from: window)
///     #expect(root.events == [.launch, .load])
@MainActor
open class MockLaunchRouter: MockViewableRouter, LaunchRouting {
  /// Shows the root's view in a window, then activates the root and loads it.
  public func launch(from window: any LaunchWindow) async {
    record(.launch)
    await CurrentExecution.schedulingPoint()
    window.show(root: viewControllable)
    await interactable.activate()
    await load()
  }
}

/// A window for the launch of a tree, which records the root that it shows.
///
///     let window = MockWindow()
///     await root.launch(from: window)
///     #expect(window.root === root.viewControllable)
@MainActor
public final class MockWindow: LaunchWindow {
  /// The root that the window shows.
  public private(set) var root: (any ViewControllable)?

  /// The number of calls of `show(root:)`.
  public private(set) var showCount = 0

  private let lifetime = Lifetime(of: "MockWindow")

  /// Makes an empty window.
  public init() {}

  /// Records the root.
  public func show(root: any ViewControllable) {
    self.root = root
    showCount += 1
  }
}
