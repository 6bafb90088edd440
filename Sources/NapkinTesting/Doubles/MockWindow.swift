// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A window for a tree to come up in, which only remembers what it was asked to show.
///
///     let window = MockWindow()
///     await root.launch(from: window)
///     #expect(window.root === root.viewControllable)
@MainActor
public final class MockWindow: LaunchWindow {
  /// What the window shows now.
  public private(set) var root: (any ViewControllable)?

  /// How often it was asked to show something.
  public private(set) var showCount = 0

  private let lifetime = Lifetime(of: "MockWindow")

  /// Shows nothing yet.
  public init() {}

  /// Remembers what to show.
  public func show(root: any ViewControllable) {
    self.root = root
    showCount += 1
  }
}
