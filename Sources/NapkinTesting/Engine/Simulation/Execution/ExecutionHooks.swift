// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The actions at the beginning and the end of each execution, which the kit sets for the napkins that a body makes.
package struct ExecutionHooks: Sendable {
  /// The action at the end of an execution.
  package typealias End = @MainActor @Sendable () -> Void

  // A lock around the closure itself, and not around the value that has it, would wrap it once more whenever it is read.
  private static let current = Mutex(ExecutionHooks { _, _ in {} })

  private let begin: @MainActor @Sendable (_ scope: any ExecutionScope, _ isLogged: Bool) -> End

  /// Creates hooks that do something at the beginning of an execution, which is logged or not, and return the action at its
  /// end.
  package init(begin: @escaping @MainActor @Sendable (_ scope: any ExecutionScope, _ isLogged: Bool) -> End) {
    self.begin = begin
  }

  /// Sets the actions, before the first execution.
  package static func set(_ hooks: ExecutionHooks) { current.withLock { $0 = hooks } }

  @MainActor static func begin(_ scope: any ExecutionScope, isLogged: Bool) -> End {
    current.withLock { $0 }.begin(scope, isLogged)
  }
}
