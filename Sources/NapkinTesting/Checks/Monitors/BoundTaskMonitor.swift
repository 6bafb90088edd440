// SPDX-License-Identifier: Apache-2.0

/// L6, L8: every bound task is cancelled with its scope and ends after that; those that do not are reported with their line.
package final class BoundTaskMonitor: Monitor {
  package let rule = LifecycleRule.boundTasks

  package init() {}

  package func atRest(_ tree: ObservedTree) -> [String] {
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
  }

  package func atEnd(_ tree: ObservedTree) -> [String] {
    let living = tree.livingInteractors.map { ($0.name, $0.tasks) }
    let orphaned = tree.orphans.values.sorted { $0.name < $1.name }.map { ($0.name, $0.tasks) }
    return (living + orphaned).flatMap { name, tasks in
      lines(name, tasks.filter(\.value.hasStarted)) {
        "\($0) outlived its scope: it was cancelled, and has not ended."
      }
    }
  }

  private func lines(
    _ name: String, _ tasks: [UInt64: ObservedTree.BoundTask], _ line: (String) -> String
  ) -> [String] {
    tasks.sorted { $0.key < $1.key }.map { number, task in
      let site = task.site.map { ", bound at \($0)" } ?? (task.callback == nil ? "" : ", bound")
      let callback = task.callback.map { " during \($0.rawValue)" } ?? ""
      return line("Task \(number) of \(name)\(site)\(callback)\(site.isEmpty ? "" : ",")")
    }
  }
}
