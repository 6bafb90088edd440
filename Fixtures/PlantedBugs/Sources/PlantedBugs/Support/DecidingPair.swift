// SPDX-License-Identifier: Apache-2.0
import Foundation
public import NapkinTesting

/// The two steps whose order makes a planted bug, as its author knows them: each by the functions that it may be in or call, or
/// by the action, since a bug mostly passes through several.
public struct DecidingPair: Sendable {
  let first: [String]
  let second: [String]

  /// Whether a pair that the kit names is the bug's own.
  public func matches(_ pair: DecisivePair) -> Bool {
    Self.isStep(pair.first, oneOf: first) && Self.isStep(pair.second, oneOf: second)
  }

  private static func isStep(_ step: DecisivePair.Step, oneOf names: [String]) -> Bool {
    names.contains { name in
      [step.function, step.caller, step.note, step.line.flatMap(code(at:))].contains { $0?.contains(name) ?? false }
    }
  }

  /// The code of a line such as `StaleResults.swift:32`.
  private static func code(at line: String) -> String? {
    let parts = line.split(separator: ":")
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path = folder.appending(path: "Canaries/\(parts[0])")
    guard let number = parts.last.flatMap({ Int($0) }), let text = try? String(contentsOf: path, encoding: .utf8) else {
      return nil
    }
    return String(text.split(separator: "\n", omittingEmptySubsequences: false)[number - 1])
  }

  /// The pairs by the names of their canaries; written down before the kit named any.
  public static let expected: [String: DecidingPair] = [
    // The second tap gets past the guard before the first one takes the slot.
    "double tap": .init(first: ["tap profile", "routeToProfile()"], second: ["routeToProfile()"]),
    // The user cancels before the answer routes.
    "late login": .init(
      first: ["didTapCancel()", "routeToLogin()"], second: ["didTapLogin()", "routeToHome()"]),
    // The next movie begins before the detach of the last one forgets it.
    "late clear": .init(first: ["play"], second: ["stop()"]),
    // The second swap looks for a tab before the first one has a new one.
    "half swap": .init(first: ["select()", "tap feed", "tap profile"], second: ["select()"]),
    // The new answer, or the text that it belongs to, comes before the old answer.
    "stale results": .init(first: ["show(", "didType("], second: ["show("]),
    // The second tap looks whether the order is paid before the first one notes that it is.
    "paid twice": .init(first: ["didTapPay()"], second: ["didTapPay()"]),
    // The second scroll reads the count of posts before the first one adds its page.
    "page loaded twice": .init(first: ["didScrollToEnd()"], second: ["didScrollToEnd()"]),
    // The second request finds no token before the first one keeps its own.
    "token refreshed twice": .init(first: ["token()"], second: ["token()"]),
    // The second tap reads the cart before the first one writes it.
    "unchecked cart": .init(first: ["add()"], second: ["add()"]),
    // The user goes back before the profile is there.
    "lost close": .init(first: ["tap back", "close()"], second: ["open()"]),
    // The newer text arrives before the older one.
    "keys out of order": .init(first: ["didChange("], second: ["didChange("]),
    // The next call begins before the hanging up of the last one closes a chat.
    "stale router": .init(first: ["call"], second: ["hangUp()", "chatDidFinish("]),
    // The screen closes before the reload draws.
    "work after resign": .init(first: ["close()", "willResignActive()"], second: ["draw()", "didTapReload()"]),
    // The second toast is shown before the timer of the first one hides it.
    "toast timer": .init(first: ["show(", "save"], second: ["hide("]),
    // The one takes its first lock before the other takes its second one.
    "locks in two orders": .init(first: ["take()"], second: ["take()"]),
    // The next upload begins before the last one has written.
    "overlapping runs": .init(first: ["run()"], second: ["run()"]),
  ]
}
