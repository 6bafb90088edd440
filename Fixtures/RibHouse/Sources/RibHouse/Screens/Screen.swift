// SPDX-License-Identifier: Apache-2.0
import Napkin

#if canImport(UIKit)
import UIKit

package typealias PlatformViewController = UIViewController
#elseif canImport(AppKit)
import AppKit

package typealias PlatformViewController = NSViewController
#else
/// Where there is no view framework, any class is a view controller.
@MainActor
package class PlatformViewController {
  package init() {}
}
#endif

/// A view controller for a terminal: lines of text, and the keys that it takes.
///
/// Its properties are read again for every frame, so a change needs no notification.
@MainActor
package class Screen: PlatformViewController, ViewControllable {
  package var lines: [String] { [] }
  package var keys: [Key] { [] }

  /// Called when the user has gone back from this screen, before any napkin knows.
  package func wasPopped() {}
}

/// A key that a screen takes, and what it is for.
@MainActor
package struct Key {
  package let character: Character
  package let label: String
  package let press: () -> Void
}
