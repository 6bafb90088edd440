// SPDX-License-Identifier: Apache-2.0
import Napkin
import RibHouse

/// The window of a terminal: it shows its root screen, which is drawn from there.
@MainActor
final class TerminalWindow: LaunchWindow {
  private(set) var rootScreen: Screen?

  func show(root: any ViewControllable) {
    rootScreen = root as? Screen
  }
}
