// SPDX-License-Identifier: Apache-2.0

/// The behavior of a synthetic node's callbacks.
struct NodeBehavior: Sendable {
  var onActivate = Callback.nothing
  var onResign = Callback.nothing
  var load = Load.nothing
  var work: [Work] = []
  /// The work of the node's worker in a run.
  var worker = Work.short

  /// Long enough to be cancelled meanwhile, and short where time is real.
  static var shortDelay: Duration { Execution.isSimulated ? .seconds(1) : .milliseconds(2) }

  enum Callback: Sendable {
    case nothing
    /// Suspends a number of times.
    case suspends(Int)
    /// Takes a while, unless it is cancelled.
    case sleeps
    /// Calls up to be detached, the most common shape in an app: a child that has nothing to do finishes at once.
    case leaves
    /// Attaches a node below its own.
    case attaches(Int)
    /// Detaches the last of its own children.
    case dropsChild
    /// Has a node, or itself once more, shown in its place.
    case redirects(to: Int)
    /// Calls `deactivate()` from inside.
    case deactivatesItself
    /// Calls `activate()` from inside, the first time: more often would have no end.
    case activatesItself
    /// Calls `whenActive()` of its own node, which does not wait from inside.
    case awaitsItself
  }

  enum Load: Sendable {
    case nothing, suspends, leaves
    case attaches(Int)
  }

  /// The work of a bound task, or of a worker.
  enum Work: Sendable {
    /// Ends by itself, soon.
    case short
    /// Sleeps a second.
    case sleeps
    /// Listens for as long as it may.
    case listens
    /// Does not look at its cancellation for a while.
    case deaf
    /// Calls up to be detached.
    case leaves
    /// Binds more work, which listens.
    case nests
    /// Attaches a node below its own.
    case attaches(Int)
    /// Waits until a node is active.
    case awaits(Int)
    /// Starts the node's worker; it is bound in no other way.
    case worker
  }

  /// Draws behaviors for a tree of `nodes` nodes; zeros make the behavior without effects.
  static func generator(nodes: Int) -> Gen<NodeBehavior> {
    Gen { source in
      NodeBehavior(
        onActivate: Gen.callback(nodes: nodes).draw(from: source),
        onResign: Gen.frequency((16, .callback(nodes: nodes)), (1, .just(.activatesItself))).draw(from: source),
        load: Gen.load(nodes: nodes).draw(from: source),
        work: Gen.array(of: .work(nodes: nodes), count: 0...2).draw(from: source),
        worker: Gen.work(nodes: nodes).draw(from: source))
    }
  }
}

extension NodeBehavior: CustomStringConvertible {
  /// The actions of the node, without its empty callbacks, so that a shrunk story is short.
  var description: String {
    var parts: [String] = []
    if case .nothing = onActivate {} else { parts.append("didBecomeActive \(onActivate)") }
    if case .nothing = onResign {} else { parts.append("willResignActive \(onResign)") }
    if case .nothing = load {} else { parts.append("didLoad \(load)") }
    if !work.isEmpty { parts.append("binds \(work.map { "\($0)" }.joined(separator: ", "))") }
    if case .short = worker {} else { parts.append("worker \(worker)") }
    return parts.isEmpty ? "does nothing" : parts.joined(separator: "; ")
  }
}

extension Gen where Value == NodeBehavior.Callback {
  fileprivate static func callback(nodes: Int) -> Gen<NodeBehavior.Callback> {
    .frequency([
      (6, .just(.nothing)), (4, Gen<Int>.int(in: 1...3).map { .suspends($0) }), (2, .just(.sleeps)),
      (1, .just(.leaves)), (1, Gen<Int>.int(in: 0...(nodes - 1)).map { .attaches($0) }), (1, .just(.deactivatesItself)),
      (1, .just(.dropsChild)), (1, .just(.awaitsItself)),
      (1, Gen<Int>.int(in: 0...(nodes - 1)).map { .redirects(to: $0) }),
    ])
  }
}

extension Gen where Value == NodeBehavior.Load {
  fileprivate static func load(nodes: Int) -> Gen<NodeBehavior.Load> {
    .frequency([
      (4, .just(.nothing)), (2, .just(.suspends)), (2, Gen<Int>.int(in: 0...(nodes - 1)).map { .attaches($0) }),
      (1, .just(.leaves)),
    ])
  }
}

extension Gen where Value == NodeBehavior.Work {
  static func work(nodes: Int) -> Gen {
    .oneOf(
      .just(.short), .just(.sleeps), .just(.listens), .just(.deaf), .just(.leaves), .just(.nests),
      Gen<Int>.int(in: 0...(nodes - 1)).map { .attaches($0) }, Gen<Int>.int(in: 0...(nodes - 1)).map { .awaits($0) },
      .just(.worker))
  }
}
