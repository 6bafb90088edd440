// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Remembers which types of interactors keep a default callback: calling it would do nothing, so no task is made for it.
///
/// A default reports itself when it is first run for a type. Actors have no subclasses, so a type's answer holds for all
/// its instances.
struct DefaultCallbacks: OptionSet, Sendable {
  let rawValue: UInt8
  static let didBecomeActive = DefaultCallbacks(rawValue: 1)
  static let willResignActive = DefaultCallbacks(rawValue: 2)
  /// The registry has been asked; an answer that comes later concerns the next instance.
  static let isKnown = DefaultCallbacks(rawValue: 4)

  private static let registry = Mutex<[ObjectIdentifier: DefaultCallbacks]>([:])

  static func of(_ type: any Interactable.Type) -> DefaultCallbacks {
    registry.withLock { $0[ObjectIdentifier(type)] ?? [] }.union(.isKnown)
  }

  static func report(_ callback: DefaultCallbacks, of type: any Interactable.Type) {
    registry.withLock { _ = $0[ObjectIdentifier(type), default: []].insert(callback) }
  }
}
