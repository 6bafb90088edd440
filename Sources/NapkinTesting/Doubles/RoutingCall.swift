// SPDX-License-Identifier: Apache-2.0
public import Napkin
internal import Synchronization

/// What a `MockRouter` is told, by its parent or by its own feature.
///
///     #expect(router.events == [.load, .attachChild(profile), .detachChild(profile)])
public enum RoutingCall: Sendable, Equatable {
  /// A parent has attached the router, and loads it.
  case load
  /// Somebody waits until the router is loaded.
  case loaded
  /// A child was handed over to be attached.
  case attachChild(Child)
  /// A child was handed over to be detached.
  case detachChild(Child)
  /// The app has started, and the root comes up.
  case launch

  /// A child that a call was about, by identity; remembering it does not keep it alive.
  public struct Child: Sendable, Equatable, CustomStringConvertible {
    /// The name of the child's type.
    public let description: String
    private let reference: Reference

    /// Remembers a router without holding it.
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

  /// The call with which this child was handed over to be attached.
  public static func attachChild(_ router: any Routing) -> RoutingCall { .attachChild(Child(router)) }

  /// The call with which this child was handed over to be detached.
  public static func detachChild(_ router: any Routing) -> RoutingCall { .detachChild(Child(router)) }
}

// A weak variable is not `Sendable`, since the runtime writes to it; under a lock it is.
private final class Reference: Sendable {
  private struct Weak: Sendable {
    weak var router: (any Routing)?
  }

  private let weak: Mutex<Weak>

  init(_ router: any Routing) {
    weak = Mutex(Weak(router: router))
  }

  var router: (any Routing)? { weak.withLock { $0.router } }
}
