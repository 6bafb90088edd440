// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// Random sequences of events in worlds of 3 to 12 nodes, with every rule in every state.
///
/// Half of the sequences begin anew; the others go on from a state that had a combination of marks, of a node and of its
/// parent, that was never seen before.
struct RandomWalk {
  struct Step: CustomStringConvertible {
    let event: WalkedEvent
    /// Whether an event that can be handled on the main actor or elsewhere is handled there.
    let isOnMain: Bool

    var description: String { "\(event)\(isOnMain ? ", on the main actor" : "")" }
  }

  struct Result: CustomStringConvertible {
    var events = 0
    var sequences = 0
    /// The combinations of marks that were seen.
    var combinations = 0
    var sent = SentEvents()
    var broken: String?
    var bounds: WalkBounds?
    /// As few as a search by leaving out leads to.
    var steps: [Step] = []

    var description: String {
      let head = "\(events) events in \(sequences) sequences, \(combinations) combinations of marks"
      guard let broken, let bounds else { return head }
      let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      return head + "\nin \(bounds):\n\(broken)\nafter these events:\n" + lines.joined(separator: "\n")
    }
  }

  private struct Start {
    let world: WalkedWorld
    let steps: [Step]
  }

  private static let calls = 50
  private static let mostStarts = 256

  /// A rule of every state in addition, for tests of the walk; returns a text where it is broken.
  var rule: ((WalkedWorld) -> String?)?
  private var random: SplitMix
  private var result = Result()
  private var starts: [Start] = []
  private var seen = [UInt64](repeating: 0, count: 1 << 20)

  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// Walks until this many events were handled, or a rule is broken.
  mutating func run(events: Int) -> Result {
    while result.events < events, result.broken == nil {
      result.sequences += 1
      if !starts.isEmpty, random.chance(1, 2) {
        let start = starts[random.below(starts.count)]
        walk(start.world, start.steps)
      } else {
        walk(WalkedWorld(drawBounds()), [])
      }
    }
    if result.broken != nil { shrink() }
    return result
  }

  private mutating func drawBounds() -> WalkBounds {
    let nodes = 3 + random.below(10)
    var bounds = WalkBounds(
      nodes: nodes, outstanding: 2 + random.below(7), calls: Self.calls, isPrompt: random.chance(1, 2))
    bounds.hasCallsInside = !random.chance(1, 8)
    if random.chance(2, 3) {
      bounds.kinds = (0..<nodes).map { _ in InteractorKind.allCases[random.below(InteractorKind.allCases.count)] }
    }
    bounds.mayRefuse = random.chance(1, 4)
    bounds.isForeign = random.chance(1, 6)
    bounds.hasChanges = random.chance(1, 2)
    if random.chance(1, 8) { bounds.mostDue = 1 + random.below(4) }
    guard !bounds.isForeign, random.chance(3, 4) else { return bounds }
    bounds.family = .activeTree
    let isDeep = random.chance(1, 2)
    bounds.parents = (1..<nodes).map { isDeep && random.chance(3, 4) ? $0 - 1 : random.below($0) }
    return bounds
  }

  /// Walks on from a world until its calls are made and it is at rest.
  private mutating func walk(_ start: WalkedWorld, _ before: [Step]) {
    var (world, steps) = (start, before)
    world.calls = min(world.calls, Self.calls / 2)
    // A walk without an end is cut off: a driver may notify a stream for ever.
    for _ in 0..<40 * Self.calls where world.broken == nil {
      guard let event = drawEvent(in: world) else {
        world.checkRest()
        break
      }
      let step = Step(event: event, isOnMain: random.chance(1, 2))
      world.isOnMain = step.isOnMain
      guard world.apply(event) || world.broken != nil else { continue }
      steps.append(step)
      result.events += 1
      check(&world)
      if world.broken == nil, noteMarks(of: world) { keep(world, steps) }
    }
    result.sent.formUnion(world.sent)
    if let broken = world.broken { (result.broken, result.bounds, result.steps) = (broken, world.bounds, steps) }
  }

  private func check(_ world: inout WalkedWorld) {
    if world.broken == nil { world.checkState() }
    if world.broken == nil { world.broken = rule?(world) }
  }

  /// The next event; nil at rest once all calls are made.
  private mutating func drawEvent(in world: WalkedWorld) -> WalkedEvent? {
    let isOver = world.calls >= Self.calls
    if isOver || random.chance(2, 5) {
      let progress = world.progress()
      if let event = drawProgress(progress) { return event }
      if isOver { return nil }
    }
    for _ in 0..<20 {
      if let event = drawCall(in: world) { return event }
    }
    return drawProgress(world.progress())
  }

  /// Refusals seldom: an interactor that never calls its lifecycle hides most of the states that can follow.
  private mutating func drawProgress(_ events: [WalkedEvent]) -> WalkedEvent? {
    if events.isEmpty { return nil }
    let event = events[random.below(events.count)]
    if case .refuses(let node) = event, random.chance(3, 4) { return .callbackReturns(node) }
    return event
  }

  private mutating func drawNode(in world: WalkedWorld) -> Node { world.nodes[random.below(world.nodes.count)] }

  /// An event of the user's, or nil if the one that was drawn cannot be.
  private mutating func drawCall(in world: WalkedWorld) -> WalkedEvent? {
    let node = drawNode(in: world)
    switch random.below(40) {
    case 0: return world.canBeReleased(node) ? .release(node) : nil
    case 1:
      guard let index = world.callers.indices.randomElement(using: &random) else { return nil }
      let caller = world.callers[index]
      return caller.frame == nil && caller.call.isWait ? .cancelWait(index) : nil
    case 2, 3:
      let parent = world.nodes[0]
      guard world.bounds.isForeign, node != parent, world.hasRouter(parent) else { return nil }
      if world.machine[node].parent == parent { return .disown(node) }
      return world.canBeAdopted(node, by: parent) ? .adopt(node, by: parent) : nil
    case 4, 5:
      guard world.bounds.hasChanges else { return nil }
      if world.canBeReplaced(node) { return .replace(node) }
      return random.chance(1, 3) ? .stream(node, opens: !world[node].hasStream) : nil
    case 7:
      guard let index = world.callers.indices.randomElement(using: &random),
        let frame = world.freeFrames.randomElement(using: &random), world.canBeTied(world.callers[index], to: frame)
      else { return nil }
      return .tie(index, to: frame)
    case 6: return world.canBePassedOver(node) ? .passOver(node) : nil
    default: break
    }
    guard world.callers.count < world.bounds.outstanding else { return nil }
    var frame: Frame?
    if world.bounds.hasCallsInside, random.chance(2, 5) { frame = world.freeFrames.randomElement(using: &random) }
    let call = drawKind(of: node, in: world)
    return world.canBeMade(call, by: frame) ? .call(call, by: frame) : nil
  }

  private mutating func drawKind(of node: Node, in world: WalkedWorld) -> WalkedCall {
    switch random.below(17) {
    case 0..<4: WalkedCall(kind: .attach, node: node, parent: drawNode(in: world))
    case 4..<8:
      // Most often from where it stands, or is to stand.
      WalkedCall(kind: .detach, node: node, parent: drawParent(of: node, in: world))
    case 8..<11: WalkedCall(kind: .activate, node: node)
    case 11..<14: WalkedCall(kind: .deactivate, node: node)
    case 14: WalkedCall(kind: .attachAgain, node: node, parent: drawParent(of: node, in: world))
    case 15: WalkedCall(kind: [.load, .load, .loaded][random.below(3)], node: node)
    default: WalkedCall(kind: .whenActive, node: node)
    }
  }

  private mutating func drawParent(of node: Node, in world: WalkedWorld) -> Node {
    let record = world.machine[node]
    let parents = [record.parent, record.nextParent].filter { $0 != .none }
    return parents.isEmpty ? drawNode(in: world) : parents[random.below(parents.count)]
  }

  /// Whether a node and its parent have marks that were never seen together.
  private mutating func noteMarks(of world: WalkedWorld) -> Bool {
    var isNew = false
    for node in world.nodes {
      let parent = world.machine[node].parent
      let marks = world.marks(of: node) << 13 | (parent == .none ? 0 : world.marks(of: parent))
      let (word, bit) = (Int(marks >> 6), UInt64(1) << (marks & 63))
      guard seen[word] & bit == 0 else { continue }
      seen[word] |= bit
      result.combinations += 1
      isNew = true
    }
    return isNew
  }

  private mutating func keep(_ world: WalkedWorld, _ steps: [Step]) {
    let start = Start(world: world, steps: steps)
    if starts.count < Self.mostStarts { starts.append(start) } else { starts[random.below(starts.count)] = start }
  }
}

extension WalkedWorld {
  /// The marks of a node in 13 bits, of which at least one is set.
  fileprivate func marks(of node: Node) -> UInt64 {
    let record = machine[node]
    var marks = UInt64(record.phase.rawValue) + 1
    marks = marks << 2 | UInt64(record.wantedState.rawValue)
    func add(_ bit: Bool) { marks = marks << 1 | (bit ? 1 : 0) }
    add(record.load == .running)
    add(record.isInterrupted)
    add(record.isWaking)
    add(record.isRestless)
    add(record.mayResign)
    add(record.isLeaving)
    add(record.hasRefusedToResign)
    add(record.requests >= 0)
    return marks
  }
}

/// Leaves out steps for as long as the same rule is broken without them.
extension RandomWalk {
  private mutating func shrink() {
    var length = result.steps.count / 2
    while length > 0 {
      let before = result.steps.count
      var start = 0
      while start < result.steps.count {
        if !leaveOut([start..<min(start + length, result.steps.count)]) { start += length }
      }
      // One step is tried again for as long as that leaves any out.
      if length > 1 || result.steps.count == before { length /= 2 }
      if length == 0, leaveOutPairs() { length = 1 }
    }
  }

  /// Leaves out two steps at once, as an attach and its detach; false if no two can be.
  private mutating func leaveOutPairs() -> Bool {
    let before = result.steps.count
    var first = 0
    while first < result.steps.count {
      let others = first + 1..<max(result.steps.count, first + 1)
      let second = others.first { leaveOut([first..<first + 1, $0..<$0 + 1]) }
      if second == nil { first += 1 }
    }
    return result.steps.count < before
  }

  /// Leaves out ranges of steps, in ascending order, if the same rule is broken without them.
  private mutating func leaveOut(_ ranges: [Range<Int>]) -> Bool {
    guard let bounds = result.bounds, let rule = result.broken?.prefix(40) else { return false }
    var shorter = result.steps
    for range in ranges.reversed() { shorter.removeSubrange(range) }
    guard let (broken, steps) = replay(shorter, in: bounds), broken.hasPrefix(rule), steps.count < result.steps.count
    else { return false }
    (result.broken, result.steps) = (broken, steps)
    return true
  }

  /// The rule that steps break, and those of them that led there; nil if they break none.
  func replay(_ steps: [Step], in bounds: WalkBounds) -> (String, [Step])? {
    var world = WalkedWorld(bounds)
    world.calls = -steps.count
    var made: [Step] = []
    for step in steps where world.isPossible(step.event) {
      world.isOnMain = step.isOnMain
      guard world.apply(step.event) || world.broken != nil else { continue }
      made.append(step)
      check(&world)
      if let broken = world.broken { return (broken, made) }
    }
    for _ in 0..<1_000 {
      guard let event = world.progress().first(where: { if case .refuses = $0 { false } else { true } }) else { break }
      _ = world.apply(event)
      made.append(Step(event: event, isOnMain: world.isOnMain))
      check(&world)
      if let broken = world.broken { return (broken, made) }
    }
    world.checkRest()
    return world.broken.map { ($0, made) }
  }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func chance(_ share: Int, _ of: Int) -> Bool { below(of) < share }
}
