// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A router that writes down what it is told and otherwise does what a router does.
///
///     final class ProfileRouterMock: MockRouter, ProfileRouting {}
///
/// It keeps the contract of a real one, so it can stand under a real parent, have real children, or both. What it is told
/// is written down before it happens, and under an exploration every call is a scheduling point.
@MainActor
open class MockRouter: Routing, Recording {
  /// Holds the calls, in the order in which they arrived.
  public nonisolated let recorder: Recorder<RoutingCall>

  /// A `MockInteractor`, unless another one was handed over.
  public let interactable: any Interactable

  private let node: MockRouterNode

  /// Takes an interactor, which the parent will activate.
  public init(interactor: any Interactable = MockInteractor()) {
    recorder = Recorder("\(Self.self)")
    interactable = interactor
    node = MockRouterNode(interactor: interactor)
    node.owner = self
  }

  /// The attached children, in the order in which they were attached.
  public var children: [any Routing] { node.children }

  /// Runs `didLoad()` unless it has run already.
  public func load() async {
    record(.load)
    await CurrentExecution.schedulingPoint()
    await node.load()
  }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  public func loaded() async {
    await node.loaded()
  }

  /// Called once, after the first activation; a subclass may attach permanent children here.
  open func didLoad() async {}

  /// Adds a child, activates its interactor and loads it.
  public func attachChild(_ child: any Routing) async {
    record(.attachChild(child))
    await CurrentExecution.schedulingPoint()
    await node.attachChild(child)
  }

  /// Deactivates a child's whole subtree and removes it.
  public func detachChild(_ child: any Routing) async {
    record(.detachChild(child))
    await CurrentExecution.schedulingPoint()
    await node.detachChild(child)
  }
}

/// The real router that a mock hands its calls on to, since a real router's methods cannot be overridden.
package final class MockRouterNode: Router<any Interactable> {
  weak var owner: MockRouter?

  package override func didLoad() async {
    await owner?.didLoad()
  }
}
