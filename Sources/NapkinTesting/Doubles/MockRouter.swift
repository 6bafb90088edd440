// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A router that records the calls it receives and behaves like a real router.
///
///     final class ProfileRouterMock: MockRouter, ProfileRouting {}
///
/// It keeps the contract of a router, so it can have a real parent, real children, or both. A call is recorded before it
/// takes effect, and under an exploration every call is a scheduling point.
@MainActor
open class MockRouter: Routing, Recording {
  /// The calls, in the order of their arrival.
  public nonisolated let recorder: Recorder<RoutingCall>

  package let node: RouterNode
  private var isAskedToLoad = false

  /// Makes a router with an interactor, which the parent activates.
  public init(interactor: any Interactable = MockInteractor()) {
    recorder = Recorder("\(Self.self)", lifetime: nil)
    node = RouterNode(interactable: interactor, type: Self.self)
    node.begin(of: self)
  }

  isolated deinit { node.end() }

  /// The interactor, a `MockInteractor` by default.
  public var interactable: any Interactable { node.interactable }

  /// The attached children, in the order in which they were attached.
  public var children: [any Routing] { node.children }

  /// Runs `didLoad()` unless it has run already.
  public func load() async {
    record(.load)
    isAskedToLoad = true
    await node.load(self)
    // Afterwards: no other request may run between the call and the beginning of the load.
    await CurrentExecution.schedulingPoint()
  }

  /// Writes down that the tree loads it.
  package func treeLoads() {
    if !isAskedToLoad { record(.load) }
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
  @_disfavoredOverload
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

// Children are moved by the node of a real router; only the calls are recorded here first.
extension MockRouter: NodeOwner {}

/// A call of a `MockRouter`, by its parent or by its own feature.
///
///     #expect(router.events == [.load, .attachChild(profile), .detachChild(profile)])
///
/// Children are compared by identity, and are not kept alive.
public struct RoutingCall: Sendable, Equatable, CustomStringConvertible {
  /// The function that was called, with the type of the child.
  public let description: String
  private var child: Reference?

  /// A parent has attached the router, and loads it.
  public static let load = RoutingCall(description: "load")

  /// A caller waits until the router is loaded.
  public static let loaded = RoutingCall(description: "loaded")

  /// The app has started, and the root comes up.
  public static let launch = RoutingCall(description: "launch")

  /// The call that attaches this child.
  public static func attachChild(_ router: any Routing) -> RoutingCall {
    RoutingCall(description: "attachChild(\(type(of: router)))", child: Reference(router))
  }

  /// The call that detaches this child.
  public static func detachChild(_ router: any Routing) -> RoutingCall {
    RoutingCall(description: "detachChild(\(type(of: router)))", child: Reference(router))
  }
}

// By its own identity a call is equal to its copies once the router is gone: an address may be used again after it.
private final class Reference: Sendable, Equatable {
  private weak let router: (any Routing)?

  init(_ router: any Routing) { self.router = router }

  static func == (one: Reference, other: Reference) -> Bool {
    one === other || (one.router.map { $0 === other.router } ?? false)
  }
}
