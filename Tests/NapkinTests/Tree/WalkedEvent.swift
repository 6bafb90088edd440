// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// A call as a user makes it.
struct WalkedCall: Hashable, Sendable, CustomStringConvertible {
  enum Kind: UInt8, CaseIterable, Sendable {
    case attach, detach, activate, deactivate, load, loaded, whenActive
    /// It waits for an attach that was asked for before, if any was.
    case attachAgain

    /// Whether it is about a parent, too.
    var hasParent: Bool { self == .attach || self == .detach || self == .attachAgain }
  }

  var kind: Kind
  var node: Node
  var parent = Node.none

  /// The call changes nothing, and may wait for ever.
  var isWait: Bool { kind == .loaded || kind == .whenActive }

  /// Every call about a node.
  static func all(about node: Node, _ nodes: [Node]) -> [WalkedCall] {
    Kind.allCases.flatMap { kind in
      let parents = kind.hasParent ? nodes : [.none]
      return parents.map { WalkedCall(kind: kind, node: node, parent: $0) }
    }
  }

  var description: String {
    let name = "node \(node.index)"
    return switch kind {
    case .attach: "attach \(name) to node \(parent.index)"
    case .detach: "detach \(name) from node \(parent.index)"
    case .attachAgain: "wait for the attach of \(name) to node \(parent.index)"
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
  case tie(Int, to: Frame)
  case adopt(Node, by: Node)
  case disown(Node)
  case stream(Node, opens: Bool)
  case replace(Node)
  case passOver(Node)

  /// Whether it comes by itself, without anything that a user calls anew.
  var isProgress: Bool {
    switch self {
    case .call, .release, .cancelWait, .tie, .adopt, .disown, .stream, .replace, .passOver: false
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
    case .stream(let node, true): "a stream of the state of node \(node.index) is opened"
    case .stream(let node, false): "the streams of node \(node.index) end"
    case .replace(let node): "the lifecycle of node \(node.index) is released, and a new one has its number"
    case .passOver(let node): "a slot does not attach node \(node.index) after all"
    case .tie(let index, let frame):
      "the \(frame.isLoad ? "load" : "callback") of node \(frame.node.index) waits for the task of call \(index)"
    case .cancelWait(let index): "the task of waiting call \(index) is cancelled"
    }
  }
}
