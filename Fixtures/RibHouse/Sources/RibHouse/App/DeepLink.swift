// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A place in the app that a link from outside leads to, such as `ribhouse://menu/Brisket`.
package enum DeepLink: Equatable, Sendable {
  /// The menu, at one of its dishes or at its beginning.
  case menu(dish: String?)

  /// Reads a link as systems write them, `ribhouse://menu/Spare%20ribs`; `nil` if the app has no such place.
  package init?(_ text: String) {
    let scheme = "ribhouse://"
    guard text.hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1).map { $0.removingPercentEncoding }
    guard parts.first == "menu", !parts.contains(nil) else { return nil }
    self = .menu(dish: parts.count == 2 ? parts[1] : nil)
  }
}
