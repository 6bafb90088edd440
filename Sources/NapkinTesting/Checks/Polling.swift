// SPDX-License-Identifier: Apache-2.0

/// Waits until a condition is true or a timeout has expired, and returns whether it is true.
///
/// The end of an object sends no notification, so outside an exploration the condition is checked again after 1, 2, 4, …
/// milliseconds. Before each check the main actor runs a job, which does not count against the timeout: deallocation may
/// need several, and each can take long on a busy machine. Under an exploration all other tasks run until none is ready,
/// and the condition is checked once more.
nonisolated(nonsending) func eventually(within timeout: Duration, _ condition: () -> Bool) async -> Bool {
  if condition() { return true }
  if let scope = CurrentExecution.scope, scope.isSimulated {
    await scope.quiescence()
    return condition()
  }
  var pause = Duration.milliseconds(1)
  var rested = Duration.zero
  while true {
    // Pending jobs of the main actor, such as an `isolated deinit`, have run after this.
    await MainActor.run {}
    if condition() { return true }
    if rested >= timeout || Task.isCancelled { return false }
    await Deadline.rest(for: pause)
    rested += pause
    pause = min(pause * 2, .milliseconds(64))
  }
}
