// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Scheduler {
  /// Runs two tasks up to their first hop, which is to one actor, and enqueues both there before either runs on.
  func probeQueue() {
    step()
    step()
    guard ready.count == 2, ready[0].target == ready[1].target else { return }
    // An optimiser may have left the actor out.
    guard ready[0].target != 0, ready[0].implementation == 0 else { return }
    let first = ready.remove(at: 0)
    let second = ready.remove(at: 0)
    isCatching = true
    napkin_enqueue(first.job, napkin_executor(identity: first.target, implementation: first.implementation))
    isCatching = false
    napkin_enqueue(second.job, napkin_executor(identity: second.target, implementation: second.implementation))
    _ = napkin_probe_arrived_jobs(first.target, first.job, second.job)
    guard let caught else { return }
    self.caught = nil
    run(caught, onMain: false)
    _ = runReady(limit: 100)
  }
}
