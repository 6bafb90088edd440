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

  package let node: RouterNode

  /// Takes an interactor, which the parent will activate.
  public init(interactor: any Interactable = MockInteractor()) {
    recorder = Recorder("\(Self.self)", lifetime: nil)
    node = RouterNode(interactable: interactor, type: Self.self)
    node.begin(of: self)
  }

  isolated deinit { node.end() }

  /// A `MockInteractor`, unless another one was handed over.
  public var interactable: any Interactable { node.interactable }

  /// The attached children, in the order in which they were attached.
  public var children: [any Routing] { node.children }

  /// Runs `didLoad()` unless it has run already.
  public func load() async {
    record(.load)
    await node.load(self)
    // Afterwards, since a load that was asked for has begun: nothing that came in before it could call it off.
    await CurrentExecution.schedulingPoint()
  }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  public func loaded() async {
    record(.loaded)
    await CurrentExecution.schedulingPoint()
    await node.loaded()
  }

  /// Called once, after the first activation; a subclass may attach permanent children here.
  open func didLoad() async {}

  /// Adds a child, activates its interactor and loads it.
  public func attachChild(_ child: any Routing) async {
    record(.attachChild(child))
    await CurrentExecution.schedulingPoint()
    await node.attach(child, to: self, callSite: nil)
  }

  /// Deactivates a child's whole subtree and removes it.
  public func detachChild(_ child: any Routing) async {
    record(.detachChild(child))
    await CurrentExecution.schedulingPoint()
    await node.detach(child, from: self, callSite: nil)
  }
}

// It moves children as a real router does, with the same node; only what it is told comes by here first.
extension MockRouter: NodeOwner {}
