// SPDX-License-Identifier: Apache-2.0
import Napkin

/// An empty frame, in which the screen of the present child is shown.
final class LaunchViewController: Screen, LaunchViewControllable {
  private(set) var content: Screen?

  func show(_ viewController: (any ViewControllable)?) {
    content = viewController as? Screen
  }

  override var lines: [String] { content?.lines ?? ["", "  …", ""] }
  override var keys: [Key] { content?.keys ?? [] }
}
