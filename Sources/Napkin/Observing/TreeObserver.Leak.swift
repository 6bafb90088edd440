// SPDX-License-Identifier: Apache-2.0

extension TreeObserver {
  /// A router, or the interactor of one, that is alive after it should have been released.
  public struct Leak: Sendable, Hashable, CustomStringConvertible {
    /// The napkin that the router or interactor belongs to.
    public let napkin: Napkin
    /// The former parent of the router; nil for an interactor, and where it is not known.
    public let parent: Napkin?
    /// The name of the type of the router or interactor.
    public let type: String
    /// Whether the router is alive; if not, its interactor is.
    public let isRouter: Bool
    /// The time since the router was detached or released.
    public let after: Duration
    /// The properties that hold it, such as `HomeRouter.profile`; references from closures, tasks and objects of other kinds
    /// cannot be seen.
    public let holders: [String]

    /// The leak as a line of a log.
    public var description: String {
      let what =
        isRouter
        ? "\(napkin) has left \(parent.map { "\($0)" } ?? "its parent") \(after) ago and is not released"
        : "\(type) has outlived \(napkin) by \(after)"
      let by =
        holders.isEmpty
        ? "no property of a router, an interactor or a view controller holds it: a closure, a task or another object may"
        : "\(holders.joined(separator: ", ")) \(holders.count == 1 ? "holds" : "hold") it"
      return "\(what): \(by)."
    }
  }
}
