// SPDX-License-Identifier: Apache-2.0

/// Sends an event from a view, which cannot wait, to an interactor, which has to be awaited.
///
///     Button("Log out") { dispatch { [listener] in await listener?.didTapLogout() } }
///
/// Events arrive in the order in which they are sent: the action runs at once, up to its first suspension, at which it is
/// enqueued on the actor that it calls. Both are needed for this: that the task starts immediately, and that the action is
/// `@MainActor`, since an action without isolation leaves the main actor before its first call.
///
/// The task inherits the caller's task-locals and, where the system exposes it, its preferred executor.
///
/// - Parameters:
///   - priority: The priority of the task; nil is that of the caller.
///   - action: Calls the interactor.
/// - Returns: The task, to await or cancel; it is not bound to an interactor.
@MainActor
@discardableResult
public func dispatch(
  priority: TaskPriority? = nil,
  _ action: @escaping @MainActor @Sendable () async -> Void
) -> Task<Void, Never> {
  Task.immediate(priority: priority, executorPreference: preferredExecutor) { await action() }
}
