// SPDX-License-Identifier: Apache-2.0

extension Misuse {
  /// The door for a mistake after which there is nothing to return: it is told, and then the process stops, in release
  /// builds too.
  static func stop(rule: String, message: String) -> Never {
    report(rule: rule, routers: [], message: message, at: nil)
    fatalError("\(message) (\(rule))")
  }

  /// Stops for a method that a subclass had to override and did not.
  static func stop(notOverridden method: String, by object: AnyObject) -> Never {
    let type: any AnyObject.Type = type(of: object)
    stop(
      rule: "M1",
      message: """
        \(type) does not override \(method), which was called. Its superclass leaves the work to it and has no \
        result of its own. Override \(method) in \(type), without calling super.
        """
    )
  }
}
