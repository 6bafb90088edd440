// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// Who keeps what should be gone: found by following the properties of everything that is left, from object to object.
///
/// What a closure or a task has captured, and what a global holds, cannot be seen. It costs a visit to each value that can
/// be reached, so it is only for the one execution that leaks.
package struct Holders {
  /// The most values that are looked at: the search is for the reader of a failure, who can wait for some milliseconds.
  private static let mostValues = 50_000

  private var paths: [LifecycleEvent.ID: String] = [:]
  private let wanted: Set<LifecycleEvent.ID>
  private var seen: Set<LifecycleEvent.ID> = []
  private var weak: [LifecycleEvent.ID: Set<String>] = [:]
  private var pending: [(value: Any, path: String)] = []

  /// Looks for the holder of each of these objects, which must all be alive, in them and in all that they hold.
  package static func search(_ objects: [(id: LifecycleEvent.ID, name: String)]) -> [LifecycleEvent.ID: String] {
    var search = Holders(wanted: Set(objects.map(\.id)))
    for (id, name) in objects {
      guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: id)) else { continue }
      search.open(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue(), name)
    }
    search.run()
    return search.paths
  }

  private init(wanted: Set<LifecycleEvent.ID>) { self.wanted = wanted }

  /// Breadth first, so that the shortest path to each object is found.
  private mutating func run() {
    var next = 0
    while next < min(pending.count, Self.mostValues) {
      let (value, path) = pending[next]
      next += 1
      if type(of: value) is AnyClass {
        meet(value as AnyObject, path)
      } else {
        follow(Mirror(reflecting: value), path, without: [])
      }
    }
  }

  private mutating func meet(_ object: AnyObject, _ path: String) {
    let id = ObjectIdentifier(object)
    if wanted.contains(id) {
      if paths[id] == nil { paths[id] = path }
    } else {
      open(object, path)
    }
  }

  private mutating func open(_ object: AnyObject, _ path: String) {
    guard seen.insert(ObjectIdentifier(object)).inserted else { return }
    // Everything else in a node refers upwards, and ends with its router.
    if object is RouterNode { return follow(Mirror(reflecting: object), path) { $0 == "children" } }
    var mirror: Mirror? = Mirror(reflecting: object)
    let weak = weakNames(of: object)
    while let level = mirror {
      follow(level, path, without: weak)
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

  private mutating func follow(_ mirror: Mirror, _ path: String, without names: Set<String>) {
    follow(mirror, path) { !names.contains($0) }
  }

  private mutating func follow(_ mirror: Mirror, _ path: String, where isIncluded: (String) -> Bool) {
    for (index, child) in mirror.children.enumerated() where child.label.map(isIncluded) ?? true {
      guard pending.count < Self.mostValues else { return }
      pending.append((child.value, Self.path(path, child.label, index, mirror.displayStyle)))
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
