// SPDX-License-Identifier: Apache-2.0

/// Gives the runtime a fair chance to make something true, and says whether it did.
///
/// Swift tells nobody when an object goes, so outside an exploration this looks again after 1, 2, 4, … milliseconds, for
/// as long as it may. Before each look the main actor comes round once, and that is not counted: an end takes some turns
/// there, and on a busy machine one of them can take longer than anybody is patient. Under an exploration it lets
/// everything else come to rest, and looks once more.
nonisolated(nonsending) func settles(within timeout: Duration, _ condition: () -> Bool) async -> Bool {
  if condition() { return true }
  if let scope = CurrentExecution.scope, scope.isSimulated {
    await scope.quiescence()
    return condition()
  }
  var pause = Duration.milliseconds(1)
  var rested = Duration.zero
  while true {
    // What was on its way to the main actor, such as an `isolated deinit`, has arrived after this.
    await MainActor.run {}
    if condition() { return true }
    if rested >= timeout || Task.isCancelled { return false }
    await Deadline.rest(for: pause)
    rested += pause
    pause = min(pause * 2, .milliseconds(64))
  }
}
