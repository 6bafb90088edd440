// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// L12: the runs of workers.
extension RuleCheck {
  static var workerRuns: RuleCheck {
    RuleCheck(.workerRuns) { event, tree in
      switch event {
      case .taskRegistered(let id, let task, _, _, let worker?):
        // Not certain: the end of a scope may be recorded after a start in the next.
        guard tree.isExact, let interactor = tree.interactors[id],
          let other = otherRun(of: worker, task, interactor, where: { !$0.isCancelled })
        else { return nil }
        return "\(worker.name) of \(interactor.name) was started as task \(task) while task \(other) runs it."
      case .taskStarted(let id, let task):
        guard let interactor = tree.interactors[id], tree.ownsItsTasks(interactor),
          let worker = interactor.tasks[task]?.worker,
          let other = otherRun(of: worker, task, interactor, where: \.hasStarted)
        else { return nil }
        return "\(worker.name) of \(interactor.name) began as task \(task) before its run as task \(other) had ended."
      default: return nil
      }
    }
  }

  private static func otherRun(
    of worker: BoundWorker, _ task: UInt64, _ interactor: ObservedTree.Interactor,
    where holds: (ObservedTree.BoundTask) -> Bool
  ) -> UInt64? {
    interactor.tasks.filter { $0.key != task && $0.value.worker?.id == worker.id && holds($0.value) }.keys.min()
  }
}
