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
  private static let registry = Mutex<[ObjectIdentifier: DefaultCallbacks]>([:])

  static func report(_ callback: DefaultCallbacks, of type: any Interactable.Type) {
    registry.withLock { _ = $0[ObjectIdentifier(type), default: []].insert(callback) }
  }

  /// True if a callback is known to be the default.
  ///
  /// An instance asks the registry twice at most: before its first call, when another one may have reported, and before
  /// the second, when it has itself.
  mutating func isDefault(_ callback: DefaultCallbacks, of interactor: any Interactable) -> Bool {
    if contains(callback) { return true }
    let askedOnce = DefaultCallbacks(rawValue: callback.rawValue << 2)
    let askedTwice = DefaultCallbacks(rawValue: callback.rawValue << 4)
    if contains(askedTwice) { return false }
    insert(contains(askedOnce) ? askedTwice : askedOnce)
    let isDefault = Self.registry.withLock { $0[ObjectIdentifier(type(of: interactor))]?.contains(callback) ?? false }
    if isDefault { insert(callback) }
    return isDefault
  }
}
