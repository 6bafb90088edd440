// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// The kind of an interactor, by the callbacks that the tree has to run for it.
enum InteractorKind: UInt8, CaseIterable, Sendable {
  /// Callbacks of its own and a stream of its state; direct calls bring closures.
  case observed
  /// Callbacks of its own alone, as most interactors of an app have.
  case plain
  /// Default callbacks, which are skipped.
  case defaults
}

/// The bounds of a walk.
struct WalkBounds: Sendable, CustomStringConvertible {
  /// The nodes that are below the first one to begin with.
  enum Family: Sendable { case none, activeChain, activeTree, inactiveSiblings }

  var nodes: Int
  /// How many calls may wait at the same time.
  var outstanding: Int
  /// How many calls are made in all; nil if there is no end to them.
  var calls: Int?
  /// The driver's work that waits for nothing follows at once; else every other event may come first.
  var isPrompt: Bool
  /// Whether callbacks and loads make calls and wait for them.
  var hasCallsInside = true
  /// Whether callbacks and loads come to wait for the tasks of other callers, which they have bound.
  var hasTies = false
  /// The kinds of the first interactors; the others are observed.
  var kinds: [InteractorKind] = []
  /// Whether an interactor's own `activate()` or `deactivate()` may return without calling its lifecycle.
  var mayRefuse = false
  /// Siblings have been active.
  var family = Family.none
  /// The parent of each node but the first, in an active tree.
  var parents: [Int] = []
  /// Whether the first node is of a routing that is no `Router`, and keeps its children itself.
  var isForeign = false
  /// Whether direct calls and the ends of callbacks are handled on the main actor.
  var isOnMain = false
  /// Whether streams come and go, and the number of a released lifecycle is used again.
  var hasChanges = false
  /// The number of steps after which a decision skips no more callbacks.
  var mostDue = 32
  /// Whether a state knows the last call, so that at rest it is seen to have decided (L3).
  var remembersLastCall = true

  var description: String {
    var parts = ["\(nodes) nodes", "\(outstanding) calls at a time"]
    if let calls { parts.append("\(calls) in all") }
    if family != .none { parts.append(parents.isEmpty ? "\(family)" : "parents \(parents)") }
    if !kinds.isEmpty { parts.append(kinds.map { "\($0)" }.joined(separator: "/")) }
    let marks = [
      (!isPrompt, "late effects"), (!hasCallsInside, "no calls by callbacks"), (mayRefuse, "refusals"),
      (hasTies, "ties"),
      (isForeign, "a foreign routing"), (isOnMain, "on main"), (hasChanges, "changes"),
      (mostDue != 32, "\(mostDue) due at most"),
    ]
    return (parts + marks.filter(\.0).map(\.1)).joined(separator: ", ")
  }

  /// Every shape of a tree with this many nodes, as the parents of all but the first.
  static func shapes(of nodes: Int) -> [[Int]] {
    var shapes: [[Int]] = [[]]
    for node in 1..<nodes { shapes = shapes.flatMap { shape in (0..<node).map { shape + [$0] } } }
    // Of the ways to number the same shape, the one that is built in the order of depth first.
    return shapes.filter { shape in
      zip(shape.indices, shape).allSatisfy { index, parent in
        var above = index
        while above > 0, above != parent { above = shape[above - 1] }
        return above == parent
      }
    }
  }
}
