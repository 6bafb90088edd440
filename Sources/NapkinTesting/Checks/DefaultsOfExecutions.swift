// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Synchronization

/// The default methods of interactors that each execution under control has come to know.
enum DefaultsOfExecutions {
  private static let known = Mutex<[ObjectIdentifier: KnownDefaults]>([:])

  /// Lets every execution learn by itself, from now on.
  static func install() { KnownDefaults.setFinder(find) }

  @Sendable private static func find() -> KnownDefaults? {
    guard let scope = CurrentExecution.scope, scope.isSimulated else { return nil }
    let id = ObjectIdentifier(scope)
    return known.withLock { known in
      if let found = known[id] { return found }
      let new = KnownDefaults()
      known[id] = new
      scope.whenOver { forget(id) }
      return new
    }
  }

  @Sendable private static func forget(_ id: ObjectIdentifier) { _ = known.withLock { $0.removeValue(forKey: id) } }
}
