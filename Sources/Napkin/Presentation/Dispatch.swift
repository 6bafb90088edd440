// SPDX-License-Identifier: Apache-2.0

/// Sends an event from a view, which cannot wait, to an interactor, which has to be awaited.
///
///     Button("Log out") { dispatch { [listener] in await listener?.didTapLogout() } }
///
/// What is sent first arrives first: the action runs at once, up to its first suspension, and that is where it enters the
/// mailbox of the actor that it calls. Two things make this so, and either alone does not: the task starts immediately,
/// and the action is typed `@MainActor`, since one without isolation leaves the main actor before its first call.
///
/// The task inherits the caller's priority (unless one is given), task-locals and, where the system exposes it, its
/// preferred executor.
///
/// - Returns: The task, to await or cancel; it is not bound to any interactor's life.
@MainActor
@discardableResult
public func dispatch(
  priority: TaskPriority? = nil,
  _ action: @escaping @MainActor @Sendable () async -> Void
) -> Task<Void, Never> {
  Task.immediate(priority: priority, executorPreference: preferredExecutor) { await action() }
}
