// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

/// Random work that is bound, cancelled and left to its scope's end, by two callers and by the callbacks.
@Suite struct ScopeProgramTests {
  private enum Call: Sendable, CaseIterable { case activate, deactivate, bindShort, bindListener, bindDeaf, cancelLast }

  @TaskLocal private static var caller = -1

  private final class Field: Sendable {
    struct State {
      /// How many scopes have begun, and whether the last has not ended.
      var scope = 0
      var isOpen = false
      var number = 0
      var tasks: [Task<Void, Never>] = []
      var lastListener: (number: Int, task: Task<Void, Never>)?
      var cancelledByHand: Set<Int> = []
      var cancelled: [Int] = []
      var isReleased = false
    }

    let state = Mutex(State())
    let journal = Journal()
    let executor = HoldingExecutor()

    func call(_ call: Call, of it: ProbeInteractor) async {
      switch call {
      case .activate: await it.activate()
      case .deactivate: await it.deactivate()
      case .cancelLast:
        let last = state.withLock { state in
          if let last = state.lastListener { state.cancelledByHand.insert(last.number) }
          return state.lastListener
        }
        last?.task.cancel()
      case .bindShort: bind(to: it) { _ in await Task.yield() }
      case .bindDeaf: bind(to: it) { _ in for _ in 0..<3 { await Task.yield() } }
      case .bindListener:
        let bound = bind(to: it) { number in
          await withTaskCancellationHandler(operation: untilCancelled) { self.wasCancelled(number) }
        }
        state.withLock { $0.lastListener = bound }
      }
    }

    @discardableResult
    private func bind(
      to it: ProbeInteractor, _ work: @escaping @Sendable (Int) async -> Void
    ) -> (number: Int, task: Task<Void, Never>) {
      let (number, scope, isOpen) = state.withLock { state in
        state.number += 1
        return (state.number, state.scope, state.isOpen)
      }
      let (caller, priority, isPreferred) = (ScopeProgramTests.caller, Task.basePriority, executor.isPreferred)
      let task = it.task {
        #expect(isOpen, "L6: refused work began")
        #expect(self.state.withLock { $0.isOpen && $0.scope == scope }, "L6: work began outside its scope")
        #expect(ScopeProgramTests.caller == caller, "L9: the task-local of another caller")
        #expect(Task.basePriority == priority, "L9: the priority of another caller")
        #expect(self.executor.isPreferred == isPreferred, "L9: the executor of another caller")
        await work(number)
      }
      if !isOpen { #expect(task.isCancelled, "L6: work was admitted to a scope that is not open") }
      state.withLock { $0.tasks.append(task) }
      return (number, task)
    }

    private func wasCancelled(_ number: Int) {
      let isByScope = state.withLock { state in
        guard !state.cancelledByHand.contains(number) else { return false }
        state.cancelled.append(number)
        return !state.isReleased
      }
      if isByScope {
        #expect(journal.lines.last == "it resign ended", "L6: cancelled before the resignation has ended")
      }
    }

    func observe(_ event: LifecycleEvent, of id: ObjectIdentifier) {
      switch event {
      case .activated(id): state.withLock { ($0.scope, $0.isOpen) = ($0.scope + 1, true) }
      case .deactivated(id): state.withLock { $0.isOpen = false }
      default: break
      }
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `L6 L8 L9 work lives within its scope, and ends with it or with its interactor`() async {
    let calls = Gen<[Call]>.array(of: .allCases, count: 0...6)
    let binds = Gen<[Bool]>.array(of: .bool, count: 0...3)
    await explore(executions: 1_000) {
      let field = Field()
      let inside = Mutex(Execution.draw(binds, "from inside"))
      let isReleased = Execution.draw(.bool, "is released")
      let bindInside: @Sendable (ProbeInteractor) async -> Void = { it in
        await Task.yield()
        if let listens = inside.withLock({ $0.popLast() }) {
          await field.call(listens ? .bindListener : .bindShort, of: it)
        }
      }
      var it: ProbeInteractor? = ProbeInteractor("it", field.journal, active: bindInside, resign: bindInside)
      let id = it.map { ObjectIdentifier($0.lifecycle) }
      let watcher = Watcher { event in if let id { field.observe(event, of: id) } }
      let program = Execution.draw(.array(of: calls, count: 2...2), "calls")
      let callers = zip(program.indices, program).map { number, calls in
        Self.$caller.withValue(number) {
          Task(executorPreference: number == 0 ? field.executor : nil, priority: number == 0 ? .low : .high) { [it] in
            for call in calls { if let it { await field.call(call, of: it) } }
          }
        }
      }
      for caller in callers { await caller.value }
      await CurrentExecution.scope?.quiescence()
      if !isReleased { await it?.deactivate() }
      field.state.withLock { $0.isReleased = isReleased }
      weak let gone = it
      watcher.stop()
      it = nil
      // A task that still listens would wait for ever.
      for task in field.state.withLock({ $0.tasks }) { await task.value }
      await CurrentExecution.scope?.quiescence()
      #expect(gone == nil, "L8: the interactor is still referenced")
      let cancelled = field.state.withLock { $0.cancelled }
      #expect(cancelled == cancelled.sorted(), "L6: cancelled in another order than registered")
    }
  }
}
