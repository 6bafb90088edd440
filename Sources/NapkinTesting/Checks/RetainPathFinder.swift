// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// Finds the properties that retain leaked objects, by following the properties of the objects that are still alive.
///
/// Captures of closures and tasks, and globals, cannot be inspected. It visits each value that can be reached, so it is
/// only for an execution that leaks.
package struct RetainPathFinder {
  /// The most values that are visited.
  private static let mostValues = 50_000

  /// A path to an object, and the object at which it begins.
  package struct Holder: Sendable {
    package let path: String
    package let origin: LifecycleEvent.ID
  }

  private var holders: [LifecycleEvent.ID: Holder] = [:]
  private let wanted: Set<LifecycleEvent.ID>
  private var seen: Set<LifecycleEvent.ID> = []
  private var weak: [LifecycleEvent.ID: Set<String>] = [:]
  private var pending: [(value: Any, path: String, origin: LifecycleEvent.ID)] = []

  /// Finds a path to each of these objects, which must be alive, from them and from everything that they hold.
  package static func holders(of objects: [(id: LifecycleEvent.ID, name: String)]) -> [LifecycleEvent.ID: Holder] {
    var search = RetainPathFinder(wanted: Set(objects.map(\.id)))
    for (id, name) in objects {
      guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: id)) else { continue }
      search.open(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue(), name, from: id)
    }
    search.run()
    return search.holders
  }

  private init(wanted: Set<LifecycleEvent.ID>) { self.wanted = wanted }

  /// Breadth first, so that the shortest path to each object is found.
  private mutating func run() {
    var next = 0
    while next < min(pending.count, Self.mostValues) {
      let (value, path, origin) = pending[next]
      next += 1
      if type(of: value) is AnyClass {
        meet(value as AnyObject, path, from: origin)
      } else {
        follow(Mirror(reflecting: value), path, from: origin, without: [])
      }
    }
  }

  private mutating func meet(_ object: AnyObject, _ path: String, from origin: LifecycleEvent.ID) {
    let id = ObjectIdentifier(object)
    if wanted.contains(id) {
      if holders[id] == nil { holders[id] = Holder(path: path, origin: origin) }
    } else {
      open(object, path, from: origin)
    }
  }

  private mutating func open(_ object: AnyObject, _ path: String, from origin: LifecycleEvent.ID) {
    guard seen.insert(ObjectIdentifier(object)).inserted else { return }
    // Everything else in a node refers upwards, and ends with its router.
    if object is RouterNode { return follow(Mirror(reflecting: object), path, from: origin) { $0 == "children" } }
    var mirror: Mirror? = Mirror(reflecting: object)
    let weak = weakNames(of: object)
    while let level = mirror {
      follow(level, path, from: origin, without: weak)
      mirror = level.superclassMirror
    }
  }

  private mutating func weakNames(of object: AnyObject) -> Set<String> {
    let type: AnyClass = type(of: object)
    if let known = weak[ObjectIdentifier(type)] { return known }
    let names = WeakProperties.names(of: type)
    weak[ObjectIdentifier(type)] = names
    return names
  }

  private mutating func follow(
    _ mirror: Mirror, _ path: String, from origin: LifecycleEvent.ID, without names: Set<String>
  ) {
    follow(mirror, path, from: origin) { !names.contains($0) }
  }

  private mutating func follow(
    _ mirror: Mirror, _ path: String, from origin: LifecycleEvent.ID, where isIncluded: (String) -> Bool
  ) {
    for (index, child) in mirror.children.enumerated() where child.label.map(isIncluded) ?? true {
      guard pending.count < Self.mostValues else { return }
      pending.append((child.value, Self.path(path, child.label, index, mirror.displayStyle), origin))
    }
  }

  private static func path(_ path: String, _ label: String?, _ index: Int, _ style: Mirror.DisplayStyle?) -> String {
    switch (style, label) {
    case (.optional, _), (.enum, _), (.tuple, _): path
    // What a router is made of is nothing to the reader.
    case (_, "node"?): path
    case (_, let label?): "\(path).\(label)"
    case (_, nil): "\(path)[\(index)]"
    }
  }
}
