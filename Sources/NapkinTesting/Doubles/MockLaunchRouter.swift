// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A mock of an app's root, for a test of what launches it.
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
