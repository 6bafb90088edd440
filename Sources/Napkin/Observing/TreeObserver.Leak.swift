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

/// Looks for the strong properties of an object that hold another, in the isolation of the object that it looks into.
enum Holders {
  /// The most values of one object that are looked at.
  private static let mostValues = 1_000

  @MainActor
  static func of(_ target: ObjectIdentifier, in object: AnyObject, named name: String) -> [String] {
    paths(to: target, in: object, name)
  }

  static func of(
    _ target: ObjectIdentifier, inActor interactor: isolated any Interactable, named name: String
  ) -> [String] {
    paths(to: target, in: interactor, name)
  }

  private static func paths(to target: ObjectIdentifier, in object: AnyObject, _ name: String) -> [String] {
    var found: [String] = []
    var pending: [(value: Any, path: String)] = []
    var properties = WeakProperties()
    var level: Mirror? = Mirror(reflecting: object)
    while let mirror = level {
      for (_, child) in properties.strongChildren(of: mirror, most: mostValues) {
        if let label = child.label { pending.append((child.value, "\(name).\(label)")) }
      }
      level = mirror.superclassMirror
    }
    var next = 0
    while next < min(pending.count, mostValues) {
      let (value, path) = pending[next]
      next += 1
      if type(of: value) is AnyClass {
        // Other objects may change at this moment on another thread, so none of them is looked into.
        if ObjectIdentifier(value as AnyObject) == target { found.append(path) }
      } else {
        let children = properties.strongChildren(of: Mirror(reflecting: value), most: mostValues)
        pending += children.map { ($0.child.value, path) }
      }
    }
    return found
  }
}
