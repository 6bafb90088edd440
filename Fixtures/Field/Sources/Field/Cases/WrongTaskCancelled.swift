// SPDX-License-Identifier: Apache-2.0

// A modifier starts a task when its view appears, and cancels it when the view disappears. It keeps the task in the value
// of the view, which an update makes anew, and then there is no task to cancel: it runs on for a view that is gone.
//
// The repair keeps the task in state that survives updates.
extension Case {
  static let wrongTaskCancelled = Case(
    "wrong-task-cancelled", of: "JohnSundell/AsyncCompatibilityKit 3",
    .plain, .lifecycle, decides: "disappear"
  ) {
    let version = Version.current
    let work = Work()
    let host = await ViewHost(version, work)
    await host.appear()
    async let update: Void = host.update()
    async let disappear: Void = host.disappear()
    _ = await (update, disappear)
    await host.settled()
    let finished = await work.finished
    try expect(finished == 0, "the task of a view that is gone is cancelled")
  }
}

private actor Work {
  private(set) var finished = 0

  func run() async {
    do { try await Task.sleep(for: .seconds(1)) } catch { return }
    finished += 1
  }
}

/// The value of a view: an update makes another one.
private struct TaskView { var task: Task<Void, Never>? }

/// What outlives the values of a view, as a framework keeps its state.
@MainActor private final class ViewHost {
  private let version: Case.Version
  private let work: Work
  private var view = TaskView()
  private var (state, isShown): (Task<Void, Never>?, Bool) = (nil, false)
  private var started: [Task<Void, Never>] = []

  init(_ version: Case.Version, _ work: Work) {
    self.version = version
    self.work = work
  }

  func appear() {
    isShown = true
    let task = Task { await work.run() }
    started.append(task)
    if version == .after { state = task } else { view.task = task }
  }

  func update() { if isShown { view = TaskView() } }

  func disappear() {
    isShown = false
    (version == .after ? state : view.task)?.cancel()
  }

  func settled() async { for task in started { await task.value } }
}
