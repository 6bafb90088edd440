// SPDX-License-Identifier: Apache-2.0

/// The root of a tree, which comes up in a window instead of being attached to a parent.
@MainActor
public protocol LaunchRouting: ViewableRouting {
  /// Shows the root's view in a window, then activates the root and loads it.
  func launch(from window: any LaunchWindow) async
}
