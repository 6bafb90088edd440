// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The actions at the beginning and the end of each execution, which the kit sets for the napkins that a body makes.
package enum ExecutionHooks {
  /// Begins an execution, which is logged or not, and returns the action at its end.
  package typealias Begin = @MainActor @Sendable (_ scope: any ExecutionScope, _ isLogged: Bool) -> End
  package typealias End = @MainActor @Sendable () -> Void

  private static let action = Mutex<Begin?>(nil)

  /// Sets the actions, before the first execution.
  package static func set(_ begin: @escaping Begin) { action.withLock { $0 = begin } }

  @MainActor static func begin(_ scope: any ExecutionScope, isLogged: Bool) -> End {
    action.withLock { $0 }?(scope, isLogged) ?? {}
  }
}
