// SPDX-License-Identifier: Apache-2.0

/// A caller's mistake against the contract: the tree stays as it was, and whoever develops should hear of it.
package struct Misuse: Sendable, CustomStringConvertible {
  /// The rule of the contract that was broken, such as "T2".
  package let rule: String

  /// The routers involved, the one that was handed over first.
  package let routers: [String]

  /// What happened, what the likely cause is and what to do, in three sentences.
  package let message: String

  /// Nil where the call came through the protocol, which has no room for it.
  package let callSite: CallSite?

  /// The message with its rule, as it is printed.
  package var description: String { "\(message) (\(rule))" }

  /// The one door: an observer takes it, or it stops a debug build, or nothing happens.
  static func report(rule: String, routers: [String], message: String, at callSite: CallSite?) {
    let misuse = Misuse(rule: rule, routers: routers, message: message, callSite: callSite)
    LifecycleObservation.tell(.misuse(misuse))
    guard !LifecycleObservation.take(misuse) else { return }
    #if DEBUG
    fatalError(misuse.description + (callSite.map { ", called at \($0.fileID):\($0.line)" } ?? ""))
    #endif
  }
}

/// Where in the caller's source a call was written.
package struct CallSite: Sendable {
  package let fileID: String
  package let filePath: String
  package let line: Int
  package let column: Int
}
