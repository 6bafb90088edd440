// SPDX-License-Identifier: Apache-2.0

package import Napkin
internal import NapkinTestingCRuntime
internal import Synchronization

/// An action of a fuzzer that is under way.
struct ActionInProgress: Sendable {
  let title: String
  /// How many events there were when it began.
  let begin: Int
}

/// All monitors of one execution, fed with the events of the napkins that it made and of no others.
package final class MonitorSet: LifecycleObserver {
  /// Called for each violation, with the rule's number and name, or a test's own name for it, and a description.
  ///
  /// Where something is left that a property holds, the last argument is the path to that property.
  package typealias Verdict = @Sendable (_ rule: String, _ message: String, _ holder: String?) -> Void

  private struct State: ~Copyable {
    var tree = ObservedTree()
    var checks: [RuleCheck]
    /// Nil where it is not judged.
    var output: LateOutput?
    var own: [(name: String, monitor: any TreeMonitor)] = []
    var reported: Set<String> = []
    var events = 0
    /// The action that each caller is in, by the number of its task.
    var actions: [UInt64: ActionInProgress] = [:]
    /// Whether the execution is over, so that nothing is judged any more.
    var isOver = false

    /// The findings of the test's own monitors, each with its name.
    mutating func askOwn(_ look: (inout any TreeMonitor) -> String?) -> [(rule: String, message: String)] {
      own.indices.compactMap { index in look(&own[index].monitor).map { (own[index].name, $0) } }
    }
  }

  private let state: Mutex<State>
  private let verdict: Verdict
  private let scope: (any ExecutionScope)?

  private let ignoresMisuse: Bool

  private static let longestSleep = 512

  /// Starts with an empty picture; only napkins that are made in the current execution are watched.
  package init(without silenced: Set<LifecycleRule> = [], verdict: @escaping Verdict) {
    state = Mutex(
      State(
        checks: RuleCheck.all().filter { !silenced.contains($0.rule) },
        output: silenced.contains(.lateOutput) ? nil : LateOutput()))
    ignoresMisuse = silenced.contains(.misuse)
    self.verdict = verdict
    scope = CurrentExecution.scope
  }

  private var isExact: Bool { scope?.runsWholeSteps ?? true }

  /// Lets a monitor of the test's own look on, too, from here on.
  package func add(_ name: String, _ monitor: any TreeMonitor) { state.withLock { $0.own.append((name, monitor)) } }

  /// An action of the fuzzer begins, in the running task: that of a caller.
  func begins(_ action: String) {
    guard let task = napkin_current_task() else { return }
    state.withLock { $0.actions[napkin_job_task_id(task)] = ActionInProgress(title: action, begin: $0.events) }
  }

  /// How many events there were.
  package var events: Int { state.withLock { $0.events } }

  /// Whether a callback of the tree is under way, or a transition of a slot.
  package var isBusy: Bool {
    state.withLock { state in
      state.tree.interactors.values.contains { $0.callback != nil }
        || state.tree.nodes.values.contains(where: \.isLoading) || !state.tree.changingSlots.isEmpty
    }
  }

  /// Whether a rule is broken at the moment that has to hold at rest, or at the end.
  ///
  /// On real threads it is not known when the tree has come to rest, so this is polled until it is false or a timeout.
  package func isUnsettled(atEnd: Bool) -> Bool {
    state.withLock { state in
      state.checks.contains { !(atEnd ? $0.atEnd(state.tree) : $0.atRest(state.tree)).isEmpty }
    }
  }

  /// Checks everything, while no task does anything.
  package func checkAtRest() {
    judge { state in
      state.tree.isExact = isExact
      state.tree.comeToRest()
      state.output?.rests += 1
      return state.checks.flatMap { check in check.atRest(state.tree).map { (check.rule.heading, $0) } }
        + state.askOwn { $0.atRest() }
    }
  }

  /// Checks the rules that hold after the root was released.
  package func checkAtEnd() {
    findHolders()
    judge { state in
      state.checks.flatMap { check in check.atEnd(state.tree).map { (check.rule.heading, $0) } }
        + state.askOwn { $0.atEnd() }
    } heldBy: { tree in
      Dictionary(tree.leaks.compactMap { leak in leak.holder.map { (leak.message, $0) } }) { first, _ in first }
    }
  }

  /// Looks for tasks of the released tree that never end: bound ones have a quarter of an hour of virtual time for that.
  package nonisolated(nonsending) func findEndlessTasks() async {
    var seconds = 1
    while seconds <= Self.longestSleep, let scope, scope.isSimulated, state.withLock({ $0.tree.hasBoundTasks }) {
      await scope.letTimePass(seconds: seconds)
      await scope.quiescence()
      seconds *= 2
    }
    let types = state.withLock { state in
      state.checks.contains { $0.rule == .unboundTasks } ? state.tree.types : []
    }
    guard let scope, !types.isEmpty else { return }
    let found = await scope.tasksThatDoNotEnd {
      $0.module != "Napkin" && $0.type.map { types.contains($0[...]) } ?? false
    }
    state.withLock { $0.tree.endless = found }
  }

  /// Outside a simulation another thread may release an object while it is checked.
  private func findHolders() {
    guard let scope, scope.isSimulated else { return }
    let (leftovers, interactors) = state.withLock {
      ($0.tree.leftovers, $0.tree.interactors.compactMapValues { $0.object })
    }
    guard !leftovers.isEmpty else { return }
    let holders = RetainPathFinder.holders(of: leftovers, interactors: interactors)
    var (leaks, routers) = state.withLock { state in
      state.tree.holders = holders
      return (state.tree.leaks, Set(state.tree.nodes.keys))
    }
    MainActor.assumeIsolated {
      for index in leaks.indices where leaks[index].holder == nil && routers.contains(leaks[index].id) {
        let (id, name) = (leaks[index].id, leaks[index].name)
        guard let slot = RetainPathFinder.slot(holding: id, named: name) else { continue }
        leaks[index].holder = "the closure of the slot `\(slot)`"
        leaks[index].message = "\(name) was never released: the closure of the slot \(slot) holds it."
      }
    }
    state.withLock { $0.tree.knownLeaks = leaks }
  }

  package func lifecycle(_ event: LifecycleEvent) {
    // Outside the lock: this code may read a task-local value.
    if event.isOfItsExecution, CurrentExecution.scope !== scope { return }
    let task = event.isCall ? napkin_current_task().map(napkin_job_task_id) : nil
    let isInside = event.isCall && LifecycleObservation.isInsideCallback
    let made = scope?.isSimulated == true ? RetainPathFinder.interactor(of: event) : nil
    judge { state in
      guard state.tree.concerns(event) else { return [] }
      state.events += 1
      guard !state.isOver else {
        state.tree.apply(event)
        return []
      }
      state.tree.isExact = isExact
      state.tree.isCallerInside = isInside
      (state.tree.action, state.tree.eventCount) = (task.flatMap { state.actions[$0] }, state.events)
      var broken = state.checks.compactMap { check in
        check.observe(event, state.tree).map { (check.rule.heading, $0) }
      }
      state.output?.observe(event, state.tree, made)
      if !state.own.isEmpty, let seen = TreeEvent(event, in: state.tree) { broken += state.askOwn { $0.observe(seen) } }
      state.tree.apply(event)
      if case .taskStarted(let id, let task) = event, let current = napkin_current_task() {
        state.tree.interactors[id]?.tasks[task]?.identity = napkin_job_task_id(current)
      }
      if let made, case .routerCreated(_, _, let id) = event { state.tree.interactors[id]?.object = made }
      return broken
    }
    if case .routerDeinit = event { endIfOver() }
  }

  /// Handles the misuse of routers that this execution has made, whichever task calls, and all misuse by its own tasks.
  ///
  /// Where threads race, a task that a `deinit` starts belongs to no execution. Once the execution is over, a misuse
  /// cannot make it fail any more: unless it is ignored, it goes to the fallback handler.
  package func misuse(_ misuse: Misuse) -> Bool {
    let isOfScope = scope == nil || CurrentExecution.scope === scope
    let (isOurs, isOver) = state.withLock { state in
      (misuse.child.map { state.tree.nodes[$0] != nil } ?? false, state.isOver)
    }
    guard isOurs || isOfScope else { return false }
    if ignoresMisuse { return true }
    guard !isOver else { return false }
    verdict(LifecycleRule.misuse.heading, misuse.description, nil)
    return true
  }

  /// Begins to observe, until the execution is over; the misuse of its routers is handled for as long as they live.
  package func begin() {
    LifecycleObservation.add(self)
    if let scope, scope.isSimulated { DoubleCalls.judges.set({ [self] in judgeCall(of: $0, $1) }, in: scope) }
    scope?.whenTasksGoOn { [self] in blame($0) }
    scope?.whenOver { [self] in
      state.withLock { $0.isOver = true }
      endIfOver()
    }
  }

  /// Judges a call of a double.
  private func judgeCall(of recorder: ObjectIdentifier, _ call: () -> String) {
    guard let task = napkin_current_task().map(napkin_job_task_id), CurrentExecution.scope === scope else { return }
    judge { state in
      guard !state.isOver, let late = state.output?.judge(call, of: recorder, by: task, state.tree) else { return [] }
      return [(LifecycleRule.lateOutput.heading, late)]
    }
  }

  /// Judges tasks that go on and on though they were cancelled.
  private func blame(_ tasks: Set<UInt64>) -> Bool {
    var isBroken = false
    judge { state in
      guard state.checks.contains(where: { $0.rule == .boundTasks }) else { return [] }
      let found = RuleCheck.deafTasks(tasks, in: state.tree)
      isBroken = !found.isEmpty
      return found.map { (LifecycleRule.boundTasks.heading, $0) }
    }
    return isBroken
  }

  private func endIfOver() {
    let isSimulated = scope?.isSimulated ?? false
    // After a simulation no task of it runs any more.
    let isOver = state.withLock { $0.isOver && (isSimulated || $0.tree.nodes.isEmpty) }
    if isOver { LifecycleObservation.remove(self) }
  }

  private func judge(
    _ look: (inout State) -> [(rule: String, message: String)],
    heldBy holders: (ObservedTree) -> [String: String] = { _ in [:] }
  ) {
    // The violations are reported outside the lock; each once, since a broken tree stays broken.
    let (broken, paths) = state.withLock { state in
      (look(&state).filter { state.reported.insert($0.message).inserted }, holders(state.tree))
    }
    for (rule, message) in broken { verdict(rule, message, paths[message]) }
  }
}
