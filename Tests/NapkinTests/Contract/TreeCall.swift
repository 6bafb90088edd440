// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

/// A call about a tree, by the numbers of its nodes.
indirect enum TreeCall: Sendable, CustomStringConvertible {
  case attach(Int, Int)
  case detach(Int, Int)
  case move(Int, Int)
  case setHub(isDown: Bool)
  case awaitLoad(Int)
  /// Binds a task to a node that makes another call.
  case bind(Int, TreeCall)

  var description: String {
    switch self {
    case .attach(let child, let parent): "attach \(child) under \(parent)"
    case .detach(let child, let parent): "detach \(child) from \(parent)"
    case .move(let child, let parent): "move \(child) under \(parent)"
    case .setHub(let isDown): isDown ? "deactivate the hub" : "activate the hub"
    case .awaitLoad(let node): "await the load of \(node)"
    case .bind(let node, let call): "bind to \(node): \(call)"
    }
  }

  /// Draws calls about the nodes of a model, of which the first two do not move, and the last have no children.
  static let generator: Gen<TreeCall> = {
    let child = Gen<Int>.int(in: 2...(TreeModel.count - 1))
    let pair = child.flatMap { child in Gen<Int>.int(in: 0...(TreeModel.firstLeaf - 1)).map { (child, $0) } }
    let call = Gen<TreeCall>.frequency([
      (4, pair.map { .attach($0.0, $0.1) }), (4, pair.map { .detach($0.0, $0.1) }), (3, pair.map { .move($0.0, $0.1) }),
      (1, .just(.setHub(isDown: true))), (1, .just(.setHub(isDown: false))), (1, child.map { .awaitLoad($0) }),
    ])
    return .frequency([(13, call), (1, child.flatMap { node in call.map { .bind(node, $0) } })])
  }()
}
