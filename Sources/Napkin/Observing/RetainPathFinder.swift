// SPDX-License-Identifier: Apache-2.0

/// Finds the properties that retain leaked objects, by following the properties of the objects that are still alive.
///
/// Captures of closures and tasks, and globals, cannot be inspected. It visits each value that can be reached, so it is
/// only for an execution that leaks; in an app, where other objects may change at this moment, those of one object alone.
package struct RetainPathFinder {
  /// The most values that are visited.
  private static let mostValues = 50_000

  /// A path to an object, and the object at which it begins.
  package struct Holder: Sendable {
    package let path: String
    package let origin: LifecycleEvent.ID

    /// Whether the object is a child of a router that is there.
    package var isAttachment: Bool { path.contains(".children[") }
  }

  private var holders: [LifecycleEvent.ID: [Holder]] = [:]
  // The wanted objects; an interactor stands for its lifecycle, which refers to nothing.
  private let wanted: [ObjectIdentifier: LifecycleEvent.ID]
  private let entersObjects: Bool
  private var seen: Set<LifecycleEvent.ID> = []
  private var properties = WeakProperties()
  private var pending: [(value: Any, path: String, origin: LifecycleEvent.ID)] = []

  /// Finds a path to each of these objects, which must be alive, from them and from everything that they hold.
  ///
  /// - Parameters:
  ///   - objects: The objects, by their identities, and their names.
  ///   - interactors: The interactors of lifecycles that are among the objects, where they are known.
  /// - Returns: The holders that were found, by the identities of the objects that they hold.
  package static func holders(
    of objects: [(id: LifecycleEvent.ID, name: String)], interactors: [LifecycleEvent.ID: any Interactable] = [:]
  ) -> [LifecycleEvent.ID: Holder] {
    let wanted = objects.map { (interactors[$0.id].map { ObjectIdentifier($0) } ?? $0.id, $0.id) }
    var search = RetainPathFinder(wanted: Dictionary(wanted) { first, _ in first }, entersObjects: true)
    for (id, name) in objects {
      guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: id)) else { continue }
      search.open(
        interactors[id] as AnyObject? ?? Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue(), name, from: id)
    }
    search.run()
    // A child is attached as long as its parent is there: any other way to it says more.
    return search.holders.compactMapValues { holders in holders.first { !$0.isAttachment } ?? holders.first }
  }

  /// Finds the properties of one object that hold another, in the isolation of the object.
  @MainActor
  static func paths(to target: ObjectIdentifier, in object: AnyObject, named name: String) -> [String] {
    pathsWithin(object, named: name, to: target)
  }

  /// The same of an interactor.
  static func paths(
    to target: ObjectIdentifier, inActor interactor: isolated any Interactable, named name: String
  ) -> [String] {
    pathsWithin(interactor, named: name, to: target)
  }

  private static func pathsWithin(_ object: AnyObject, named name: String, to target: ObjectIdentifier) -> [String] {
    var search = RetainPathFinder(wanted: [target: target], entersObjects: false)
    search.open(object, name, from: target)
    search.run()
    return search.holders[target, default: []].map(\.path)
  }

  /// The interactor of the router that an event says is made; on the exploring thread alone, which is the main one.
  package static func interactor(of event: LifecycleEvent) -> (any Interactable)? {
    guard case .routerCreated(let id, _, _) = event, let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: id)),
      let router = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any Routing
    else { return nil }
    return MainActor.assumeIsolated { router.interactable }
  }

  private init(wanted: [ObjectIdentifier: LifecycleEvent.ID], entersObjects: Bool) {
    (self.wanted, self.entersObjects) = (wanted, entersObjects)
  }

  /// Breadth first, so that the shortest path to each object is found.
  private mutating func run() {
    var next = 0
    while next < min(pending.count, Self.mostValues) {
      let (value, path, origin) = pending[next]
      next += 1
      if type(of: value) is AnyClass {
        meet(value as AnyObject, path, from: origin)
      } else {
        follow(Mirror(reflecting: value), path, from: origin)
      }
    }
  }

  private mutating func meet(_ object: AnyObject, _ path: String, from origin: LifecycleEvent.ID) {
    if let id = wanted[ObjectIdentifier(object)] {
      holders[id, default: []].append(Holder(path: path, origin: origin))
    } else if entersObjects {
      open(object, path, from: origin)
    }
  }

  private mutating func open(_ object: AnyObject, _ path: String, from origin: LifecycleEvent.ID) {
    guard seen.insert(ObjectIdentifier(object)).inserted else { return }
    // The parent has the children of a slot, too.
    if object is SlotPlace { return }
    // Everything else in a node refers upwards, and ends with its router.
    if object is RouterNode {
      let list = Mirror(reflecting: object).descendant("list") as? ChildList
      return follow(Mirror(reflecting: list?.attached ?? []), "\(path).children", from: origin)
    }
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      follow(level, path, from: origin)
      mirror = level.superclassMirror
    }
  }

  private mutating func follow(_ mirror: Mirror, _ path: String, from origin: LifecycleEvent.ID) {
    for (offset, child) in properties.strongChildren(of: mirror, most: Self.mostValues - pending.count) {
      pending.append((child.value, Self.path(path, child.label, offset, mirror.displayStyle), origin))
    }
  }

  private static func path(_ path: String, _ label: String?, _ index: Int, _ style: Mirror.DisplayStyle?) -> String {
    switch (style, label) {
    case (.optional, _), (.enum, _), (.tuple, _): path
    // The parts of a router are of no use to the reader.
    case (_, "node"?): path
    case (_, let label?): "\(path).\(label.replacing("$__lazy_storage_$_", with: ""))"
    case (_, nil): "\(path)[\(index)]"
    }
  }
}

/// The closures of slots, which cannot be inspected, but taken.
extension RetainPathFinder {
  /// Takes the closures from the slots of a router, one by one, until that is released: the last one has held it.
  ///
  /// It is for the end of an execution: the slots show nothing more.
  ///
  /// - Returns: The property that has the slot, such as `HomeRouter.screen`; nil where the router is still alive.
  @MainActor
  package static func slot(holding router: LifecycleEvent.ID, named name: String) -> String? {
    let (isAlive, slots) = slots(of: router, name)
    for slot in slots {
      slot.views.transition = nil
      if !isAlive() { return slot.path }
    }
    return nil
  }

  @MainActor
  private static func slots(of router: LifecycleEvent.ID, _ name: String) -> (
    isAlive: () -> Bool, slots: [(path: String, views: SlotViews)]
  ) {
    guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: router)) else { return ({ true }, []) }
    let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    var (properties, slots) = (WeakProperties(), [(path: String, views: SlotViews)]())
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      for (offset, child) in properties.strongChildren(of: level, most: mostValues) {
        guard let views = (child.value as? any SlotOwner)?.place.views else { continue }
        slots.append((path(name, child.label, offset, level.displayStyle), views))
      }
      mirror = level.superclassMirror
    }
    return ({ [weak object] in object != nil }, slots)
  }
}
