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
public enum RoutingCall: Sendable, Equatable {
  /// A parent has attached the router, and loads it.
  case load
  /// A caller waits until the router is loaded.
  case loaded
  /// A child is attached.
  case attachChild(Child)
  /// A child is detached.
  case detachChild(Child)
  /// The app has started, and the root comes up.
  case launch

  /// The child of a call, by identity; it is not kept alive.
  public struct Child: Sendable, Equatable, CustomStringConvertible {
    /// The name of the child's type.
    public let description: String
    private let reference: Reference

    /// Makes a weak reference to a router.
    public init(_ router: any Routing) {
      description = String(describing: type(of: router))
      reference = Reference(router)
    }

    /// The router, for as long as it lives.
    public var router: (any Routing)? { reference.router }

    /// Whether both are the same router, and it is alive: an address may be used again after it.
    public static func == (one: Child, other: Child) -> Bool {
      one.reference === other.reference || (one.router.map { $0 === other.router } ?? false)
    }
  }

  /// The call that attaches this child.
  public static func attachChild(_ router: any Routing) -> RoutingCall { .attachChild(Child(router)) }

  /// The call that detaches this child.
  public static func detachChild(_ router: any Routing) -> RoutingCall { .detachChild(Child(router)) }
}

// By its own identity a call is equal to its copies once the router is gone.
private final class Reference: Sendable {
  weak let router: (any Routing)?

  init(_ router: any Routing) { self.router = router }
}
