// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// The bounds of a walk.
struct WalkBounds: Sendable {
  /// What stands below the first node to begin with.
  enum Family: Sendable { case none, activeChain, inactiveSiblings }

  var nodes: Int
  /// How many calls may wait at the same time.
  var outstanding: Int
  /// How many calls are made in all; nil if there is no end to them.
  var calls: Int?
  /// What the driver does without waiting for anything follows at once; else every other event may come first.
  var isPrompt: Bool
  /// Whether callbacks and loads make calls and wait for them.
  var hasCallsInside = true
  /// How many nodes have default callbacks and nothing that is to learn of them, so that they are over as they begin.
  var silent = 0
  /// Whether an interactor's own `activate()` or `deactivate()` may return without calling its lifecycle.
  var mayRefuse = false
  /// Siblings have been active.
  var family = Family.none
  /// Whether the first node is of a routing that is no `Router`, and says itself what stands below it.
  var isForeign = false
  /// Whether a state knows the last call, so that at rest it is seen to have decided (L3).
  var remembersLastCall: Bool
}

/// A call as a user makes it.
struct WalkedCall: Hashable, Sendable, CustomStringConvertible {
  enum Kind: UInt8, Sendable { case attach, detach, activate, deactivate, load, loaded, whenActive }

  var kind: Kind
  var node: Node
  var parent = Node.none

  /// It asks for nothing, and may wait for what never comes.
  var isWait: Bool { kind == .loaded || kind == .whenActive }

  var description: String {
    let name = "node \(node.index)"
    return switch kind {
    case .attach: "attach \(name) to node \(parent.index)"
    case .detach: "detach \(name) from node \(parent.index)"
    case .activate: "activate \(name)"
    case .deactivate: "deactivate \(name)"
    case .load: "load \(name)"
    case .loaded: "wait for the load of \(name)"
    case .whenActive: "wait until \(name) is active"
    }
  }
}

/// One event of a walk.
enum WalkedEvent: Hashable, Sendable, CustomStringConvertible {
  case call(WalkedCall, by: Frame?)
  case callbackReturns(Node)
  case closes(Node)
  case refuses(Node)
  case loadReturns(Node)
  case onMain(Node)
  case release(Node)
  case cancelWait(Int)
  case adopt(Node, by: Node)
  case disown(Node)

  /// Whether it comes by itself, without anything that a user calls anew.
  var isProgress: Bool {
    switch self {
    case .call, .release, .cancelWait, .adopt, .disown: false
    default: true
    }
  }

  var description: String {
    switch self {
    case .call(let call, nil): "a caller: \(call)"
    case .call(let call, let frame?):
      "\(frame.isLoad ? "the load" : "the callback") of node \(frame.node.index): \(call)"
    case .callbackReturns(let node): "the callback of node \(node.index) returns"
    case .closes(let node): "the scope of node \(node.index) closes"
    case .refuses(let node): "node \(node.index) does not call its lifecycle"
    case .loadReturns(let node): "the load of node \(node.index) returns"
    case .onMain(let node): "the main actor is available to node \(node.index)"
    case .release(let node): "the router of node \(node.index) is released"
    case .adopt(let node, let parent): "node \(parent.index) says that node \(node.index) is its child"
    case .disown(let node): "node \(node.index) is a child no more, as its parent says"
    case .cancelWait(let index): "the task of waiting call \(index) is cancelled"
    }
  }
}
