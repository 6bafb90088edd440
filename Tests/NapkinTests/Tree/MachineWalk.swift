// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// A breadth-first walk over every sequence of events of a small world.
///
/// A state is known by a 128-bit digest of all that decides the events after it, the same whichever way its nodes are numbered.
struct MachineWalk {
  struct Key: Hashable {
    var high: UInt64
    var low: UInt64
  }

  struct Result: CustomStringConvertible {
    var states = 0
    var transitions = 0
    var rests = 0
    /// False if it ended at its limit of states.
    var isComplete = true
    var broken: String?
    var events: [WalkedEvent] = []

    var description: String {
      let head = "\(states) states, \(transitions) transitions, \(rests) at rest\(isComplete ? "" : ", cut off")"
      guard let broken else { return head }
      let lines = events.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      return head + "\n\(broken)\nafter these events, as few as there can be:\n" + lines.joined(separator: "\n")
    }
  }

  let bounds: WalkBounds
  let limit: Int
  private let orders: [[Int]]

  init(_ bounds: WalkBounds, limit: Int = .max) {
    self.bounds = bounds
    self.limit = limit
    orders = Self.orders(of: Array(0..<bounds.nodes))
  }

  private static func orders(of items: [Int]) -> [[Int]] {
    if items.isEmpty { return [[]] }
    return items.flatMap { item in orders(of: items.filter { $0 != item }).map { [item] + $0 } }
  }

  func run() -> Result {
    var result = Result()
    var numbers: [Key: Int32] = [:]
    /// Where a state was first come from, and by which event.
    var origins: [(Int32, WalkedEvent)] = []
    /// The first state that comes by itself after each; its own number at rest.
    var downward: [Int32] = []
    var frontier: [(Int32, WalkedWorld)] = []
    let start = WalkedWorld(bounds)
    numbers[key(of: start)] = 0
    origins.append((-1, .onMain(.none)))
    downward.append(0)
    frontier.append((0, start))

    func path(to state: Int32) -> [WalkedEvent] {
      var events: [WalkedEvent] = []
      var number = state
      while number > 0 {
        events.append(origins[Int(number)].1)
        number = origins[Int(number)].0
      }
      return events.reversed()
    }

    walk: while !frontier.isEmpty {
      var next: [(Int32, WalkedWorld)] = []
      for (number, world) in frontier {
        let progress = world.progress()
        if progress.isEmpty {
          result.rests += 1
          var rest = world
          rest.checkRest()
          if let broken = rest.broken {
            result.broken = broken
            result.events = path(to: number)
            break walk
          }
        }
        downward[Int(number)] = progress.isEmpty ? number : -1
        for event in progress + world.userEvents() {
          var after = world
          result.transitions += 1
          let isNew = after.apply(event)
          if after.broken == nil, isNew { after.checkState() }
          if let broken = after.broken {
            result.broken = broken
            result.events = path(to: number) + [event]
            break walk
          }
          guard isNew else { continue }
          let key = key(of: after)
          let target: Int32
          if let known = numbers[key] {
            target = known
          } else {
            guard numbers.count < limit else {
              result.isComplete = false
              continue
            }
            target = Int32(numbers.count)
            numbers[key] = target
            origins.append((number, event))
            downward.append(-1)
            next.append((target, after))
          }
          if event.isProgress, downward[Int(number)] < 0 { downward[Int(number)] = target }
        }
      }
      frontier = next
    }
    result.states = numbers.count
    if result.broken == nil, result.isComplete, let endless = endless(downward) {
      result.broken = "L4, T8: from every state, what comes by itself leads to rest"
      result.events = path(to: endless)
    }
    return result
  }

  /// A state from which the events that come by themselves go round in a circle.
  private func endless(_ downward: [Int32]) -> Int32? {
    var isKnown = [Bool](repeating: false, count: downward.count)
    for start in downward.indices where !isKnown[start] {
      var state = start
      var path: Set<Int> = []
      while !isKnown[state] {
        if downward[state] == Int32(state) { break }
        if !path.insert(state).inserted { return Int32(state) }
        state = Int(downward[state])
      }
      isKnown[state] = true
      for state in path { isKnown[state] = true }
    }
    return nil
  }

  /// The smallest digest of all ways to number the nodes that agree with the look of each node by itself.
  private func key(of world: WalkedWorld) -> Key {
    let looks = world.nodes.map { look(of: $0, world) }
    var smallest: Key?
    for order in orders {
      var isSorted = true
      for index in 1..<order.count where looks[order[index - 1]] > looks[order[index]] { isSorted = false }
      guard isSorted else { continue }
      let key = key(of: world, order, looks)
      if smallest.map({ (key.high, key.low) < ($0.high, $0.low) }) ?? true { smallest = key }
    }
    return smallest!
  }

  /// A digest of all of a node that names no other.
  private func look(of node: Node, _ world: WalkedWorld) -> UInt64 {
    var record = world.machine[node]
    (record.parent, record.first, record.next, record.previous) = (.none, .none, .none, .none)
    (record.cursor, record.nextParent, record.requests) = (.none, .none, -1)
    var hasher = Hasher()
    hasher.combine(record)
    hasher.combine(world[node])
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func key(of world: WalkedWorld, _ order: [Int], _ looks: [UInt64]) -> Key {
    var places = [UInt64](repeating: 0, count: order.count)
    for (place, node) in order.enumerated() { places[node] = UInt64(place) + 1 }
    func place(_ node: Node) -> UInt64 { node == .none ? 0 : places[Int(node.index)] }
    func name(_ frame: Frame?) -> UInt64 { frame.map { place($0.node) << 1 | ($0.isLoad ? 1 : 0) } ?? 0 }
    var key = Key(high: 0x9E37_79B9_7F4A_7C15, low: 0xC2B2_AE3D_27D4_EB4F)
    func mix(_ word: UInt64) {
      key.high = (key.high ^ word) &* 0xFF51_AFD7_ED55_8CCD
      key.high ^= key.high >> 32
      key.low = (key.low &+ word) &* 0xC4CE_B9FE_1A85_EC53
      key.low ^= key.low >> 29
    }
    for index in order {
      let node = Node(index: Int32(index))
      let record = world.machine[node]
      mix(looks[index])
      var links = place(record.parent) << 4 | place(record.first)
      links = links << 4 | place(record.next)
      links = links << 4 | place(record.cursor)
      links = links << 4 | place(record.nextParent)
      mix(links)
      var id = record.requests
      while id >= 0 {
        let request = world.machine.requests[Int(id)]
        var word = UInt64(request.call.rawValue) + 1
        word = word << 6 | name(request.frame)
        if let caller = world.callers.first(where: { $0.request == id }) {
          word = word << 4 | UInt64(caller.call.kind.rawValue + 1)
          word = word << 4 | place(caller.call.node)
          word = word << 4 | place(caller.call.parent)
          word = word << 3 | (caller.hasLeft ? 4 : 0) | (caller.isSuperseded ? 2 : 0) | (caller.isOverruled ? 1 : 0)
          word = word << 4 | place(caller.leavingAncestor)
        }
        mix(word)
        id = request.next
      }
      mix(0xFFFF)
    }
    if bounds.calls != nil { mix(UInt64(world.calls)) }
    if bounds.isForeign { mix(places[0]) }
    if let last = world.last {
      mix(UInt64(last.kind.rawValue + 1) << 8 | place(last.node) << 4 | place(last.parent))
    }
    return key
  }
}
