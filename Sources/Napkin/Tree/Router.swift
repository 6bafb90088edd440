// SPDX-License-Identifier: Apache-2.0

/// A node of the tree of napkins, which owns an interactor and the attached children.
@MainActor
public protocol Routing: AnyObject, Sendable {
  /// The interactor of this node.
  var interactable: any Interactable { get }

  /// The attached children, in the order in which they were attached.
  var children: [any Routing] { get }

  /// Runs `didLoad()` unless it has run already.
  func load() async

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  func loaded() async

  /// Adds a child, activates its interactor and loads it.
  ///
  /// A conformance gives no answer; callers get one from the extension, which looks at the children.
  @_disfavoredOverload
  func attachChild(_ child: any Routing) async

  /// Deactivates a child's whole subtree, deepest first, and removes the child.
  func detachChild(_ child: any Routing) async
}

extension Routing {
  /// Adds a child, activates its interactor and loads it, and returns whether it is attached then.
  ///
  /// - Returns: False if a later call has superseded this one, or if the tree refused it.
  @discardableResult
  public func attachChild(_ child: any Routing) async -> Bool {
    await attachChild(child) as Void
    return RouterNode.isAttached(child, to: self)
  }
}

/// A node that attaches and detaches children on the main actor; a feature subclasses it.
///
///     final class HomeRouter: Router<HomeInteractor>, HomeRouting {
///       override func didLoad() async { await attachChild(await feedBuilder.build()) }
///     }
///
/// Calls about one child are carried out in the order in which they arrive, and calls about different children do not
/// wait for each other. A call from inside a callback of the child's own subtree returns at once and takes effect when
/// that callback has returned. When the last reference to a router goes, everything below it resigns, deepest first.
@MainActor
open class Router<InteractorType>: Routing, PlainNodeOwner {
  /// The interactor, as the type that the feature uses.
  public let interactor: InteractorType

  package let node: RouterNode

  /// The same interactor, as the type that other routers use.
  public final var interactable: any Interactable { node.interactable }

  /// The attached children, in the order in which they were attached.
  public final var children: [any Routing] { node.children }

  /// Creates a router.
  ///
  /// - Parameter interactor: The interactor, which has to be an ``Interactable``; else the process stops.
  public init(interactor: InteractorType) {
    guard let interactable = interactor as? any Interactable else {
      fatalError("\(InteractorType.self) is not Interactable: a router needs an actor that conforms to it")
    }
    self.interactor = interactor
    node = RouterNode(interactable: interactable, type: Self.self)
    node.begin(of: self)
  }

  isolated deinit { node.end() }

  /// Runs `didLoad()` unless it has run already; if it is running, returns when it has returned.
  public final func load() async { await node.load(self) }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  public final func loaded() async { await node.loaded() }

  /// Called once, after the first activation; a subclass attaches permanent children here.
  open func didLoad() async {}

  /// Adds a child, as ``Routing`` requires, without the place of the call for reports of misuse.
  @_disfavoredOverload
  public final func attachChild(_ child: any Routing) async {
    await node.attach(child, to: self, callSite: nil)
  }

  /// Removes a child, as ``Routing`` requires, without the place of the call for reports of misuse.
  @_disfavoredOverload
  public final func detachChild(_ child: any Routing) async {
    await node.detach(child, from: self, callSite: nil)
  }

  /// Adds a child, activates it and loads it, unless a later call supersedes this one.
  ///
  /// Below a router whose interactor was deactivated, the child stays dormant until that is activated. To pass a router
  /// that is already attached, here or elsewhere, this router, or one of its ancestors is misuse: it is reported at the
  /// place of the call, and the tree stays as it was.
  ///
  /// - Returns: Whether the child is attached here when the call returns, if only dormant. False if a later call has
  ///   superseded this one, or if it was misuse and the child is not attached here already. A call that would wait for
  ///   the callback that makes it returns at once: true if the child is attached here by then, though it may be neither
  ///   active nor loaded, and false if it has yet to leave another parent.
  @discardableResult
  public final func attachChild(
    _ child: any Routing,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> Bool {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await node.attach(child, to: self, callSite: callSite)
    return node.isAttached(child)
  }

  /// Deactivates a child's whole subtree, deepest first and the last attached first, then removes the child.
  ///
  /// A router that is no child of this one is left alone.
  public final func detachChild(
    _ child: any Routing,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await node.detach(child, from: self, callSite: callSite)
  }
}
