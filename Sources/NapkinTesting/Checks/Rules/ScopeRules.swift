// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// L6 to L8: the tasks that are bound to an interactor's active scope, and the streams that follow it.
extension RuleCheck {
  static var activeScope: RuleCheck {
    RuleCheck(.activeScope) { event, tree in
      switch event {
      case .taskRegistered(let id, let task, _, _, _):
        // Not certain: the scope may begin or end between the registration and its record.
        guard tree.isExact, let interactor = tree.interactors[id], !interactor.isActive else { return nil }
        return "Task \(task) was bound to \(interactor.name) while it was inactive."
      case .taskStarted(let id, let task):
        guard let interactor = tree.interactors[id], tree.ownsItsTasks(interactor) else { return nil }
        // Not certain: its beginning may be recorded after the cancellation that came after it.
        if let own = interactor.tasks[task], !own.isCancelled || !tree.isExact { return nil }
        return "Task \(task) of \(interactor.name) began, though its scope had ended."
      default: return nil
      }
    }
  }

  static func cancellation() -> RuleCheck {
    /// A task that was cancelled before its interactor has resigned, unless its release is about to be recorded (L8).
    var early: (id: ObservedTree.ID, violation: String)?

    /// A lifecycle that is released cancels its bound tasks without a resignation; no other event of it is recorded
    /// meanwhile.
    func confirmed(_ event: LifecycleEvent) -> String? {
      guard let suspect = early, event.subject == suspect.id else { return nil }
      switch event {
      case .streamClosed, .taskFinished: return nil
      case .lifecycleDeinit:
        early = nil
        return nil
      default:
        early = nil
        return suspect.violation
      }
    }

    return RuleCheck(.cancellation) { event, tree in
      // Not certain: a task may be cancelled by the code that bound it, and the event recorded late.
      guard tree.isExact else { return nil }
      guard case .taskCancelled(let id, let task) = event, let interactor = tree.interactors[id] else {
        return confirmed(event)
      }
      if interactor.hasBecomeActive || interactor.callback != nil, early == nil {
        early = (id, "Task \(task) of \(interactor.name) was cancelled before willResignActive() had ended.")
      }
      let older = interactor.tasks.filter { $0.key < task && !$0.value.isCancelled }.keys.min()
      return older.map {
        "Task \(task) of \(interactor.name) was cancelled before task \($0), which was bound before it."
      }
    }
  }

  /// A task that has not ended is reported with the line that bound it.
  static var boundTasks: RuleCheck {
    RuleCheck(
      .boundTasks,
      atRest: { tree in
        tree.ofInteractors { interactor in
          if interactor.isActive || interactor.tasks.isEmpty { return [] }
          return lines(interactor.name, interactor.tasks.filter { $0.value.hasStarted && !$0.value.isCancelled }) {
            "\($0) goes on uncancelled, though the interactor is inactive."
          }
        }
          + tree.orphans.values.sorted { $0.name < $1.name }.flatMap { orphan in
            lines(orphan.name, orphan.tasks.filter { !$0.value.isCancelled }) {
              "\($0) goes on uncancelled, though the interactor is gone."
            }
          }
      },
      atEnd: { tree in
        owners(in: tree).flatMap { name, tasks in
          lines(name, tasks.filter(\.value.hasStarted)) {
            "\($0) outlived its scope: it was cancelled, and has not ended."
          }
        }
      })
  }

  private static func owners(in tree: ObservedTree) -> [(name: String, tasks: [UInt64: ObservedTree.BoundTask])] {
    tree.livingInteractors.map { ($0.name, $0.tasks) }
      + tree.orphans.values.sorted { $0.name < $1.name }.map { ($0.name, $0.tasks) }
  }

  /// Tasks of these that are bound; they go on though they were cancelled, so that the end never comes.
  static func deafTasks(_ ids: Set<UInt64>, in tree: ObservedTree) -> [String] {
    owners(in: tree).flatMap { name, tasks in
      lines(name, tasks.filter { $0.value.isCancelled && $0.value.identity.map(ids.contains) == true }) {
        "\($0) goes on and on: it was cancelled, and has run 1,000 steps since."
      }
    }
  }

  private static func lines(
    _ name: String, _ tasks: [UInt64: ObservedTree.BoundTask], _ line: (String) -> String
  ) -> [String] {
    tasks.sorted { $0.key < $1.key }.map { number, task in
      let site = task.site.map { ", bound at \($0)" } ?? (task.callback == nil ? "" : ", bound")
      let callback = task.callback.map { " during \($0.rawValue)" } ?? ""
      let worker = task.worker.map { " (\($0.name))" } ?? ""
      return line("Task \(number)\(worker) of \(name)\(site)\(callback)\(site.isEmpty ? "" : ",")")
    }
  }

  /// A task with a function of a router or an interactor that waits, or sleeps again and again, when these are gone.
  static var unboundTasks: RuleCheck {
    RuleCheck(
      .unboundTasks,
      atEnd: { tree in
        tree.endless.map { task in
          let start = task.start.map { "started at \($0.located())" } ?? "of \(task.function.callee)"
          let place = task.resumption.map { " at \($0.fileAndLine ?? $0.text)" } ?? ""
          return """
            The task \(start) (\(task.title)) still \(task.polls ? "sleeps again and again" : "waits")\(place), though its \
            tree is gone.
            """
        }
      })
  }

  static var streams: RuleCheck {
    RuleCheck(
      .streams,
      observe: { event, tree in
        switch event {
        case .streamYielded(let id, let stream, let isActive):
          // Not certain: it may have yielded before its opening is recorded.
          guard tree.isExact, let interactor = tree.interactors[id], interactor.streams[stream]?.last == isActive else {
            return nil
          }
          return "isActiveStream of \(interactor.name) yielded \(isActive) twice in a row."
        case .lifecycleDeinit(let id):
          guard let interactor = tree.interactors[id], !interactor.streams.isEmpty else { return nil }
          return "\(interactor.name) is gone, and its isActiveStream has not finished."
        default: return nil
        }
      },
      atRest: { tree in
        if !tree.isExact { return [] }
        return tree.ofInteractors { interactor in
          if interactor.streams.isEmpty { return [] }
          return interactor.streams.sorted { $0.key < $1.key }.compactMap { _, stream in
            if stream.last != interactor.isActive {
              return "isActiveStream of \(interactor.name) ends with \(stream.last), and it is \(interactor.isActive)."
            }
            let transitions = interactor.transitions - stream.earlier
            guard stream.yields != transitions else { return nil }
            return "isActiveStream of \(interactor.name) yielded \(stream.yields) of \(transitions) transitions."
          }
        }
      })
  }
}

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
