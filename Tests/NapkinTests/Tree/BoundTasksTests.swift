// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

@Suite struct BoundTasksTests {
  @Test func `L6 bound tasks are cancelled in order of registration, after the resignation`() async {
    let journal = Journal()
    let started = Latch()
    let it = ProbeInteractor("it", journal) { interactor in
      for number in 1...5 {
        interactor.task {
          await withTaskCancellationHandler {
            await started.pass()
            await untilCancelled()
          } onCancel: {
            journal.write("cancel \(number)")
          }
        }
      }
    }
    await it.activate()
    await started.reached(5)
    await it.deactivate()
    #expect(journal.lines.suffix(6) == ["it resign ended", "cancel 1", "cancel 2", "cancel 3", "cancel 4", "cancel 5"])
    started.open()
  }

  @Test func `L6 work that is registered while inactive never runs and is cancelled`() async {
    let journal = Journal()
    let it = ProbeInteractor("it", journal)
    let early = it.task { journal.write("ran") }
    await early.value
    await it.activate()
    await it.deactivate()
    let late = it.task { journal.write("ran") }
    await late.value
    #expect(early.isCancelled && late.isCancelled)
    #expect(!journal.lines.contains("ran"))
  }

  @Test func `L6 work that was cancelled before it was admitted never begins`() async {
    let journal = Journal()
    let executor = HoldingExecutor()
    let it = ProbeInteractor("it", journal)
    await it.activate()
    let task = await withTaskExecutorPreference(executor) {
      executor.hold()
      return it.task { journal.write("ran") }
    }
    task.cancel()
    executor.release()
    await task.value
    #expect(!journal.lines.contains("ran"))
    await it.deactivate()
  }

  @Test func `L6 work that is not admitted before its scope ends never begins`() async {
    let journal = Journal()
    let executor = HoldingExecutor()
    let it = ProbeInteractor("it", journal)
    await it.activate()
    let task = await withTaskExecutorPreference(executor) {
      executor.hold()
      return it.task { journal.write("ran") }
    }
    await it.deactivate()
    await it.activate()
    executor.release()
    await task.value
    #expect(!journal.lines.contains("ran"))
    #expect(task.isCancelled)
  }

  @Test func `L6 work does not begin between the end of its scope and its cancellation`() async {
    let journal = Journal()
    let executor = HoldingExecutor()
    let it = PlainInteractor()
    let id = ObjectIdentifier(it.lifecycle)
    await it.activate()
    let task = await withTaskExecutorPreference(executor) {
      executor.hold()
      return it.task { journal.write("ran") }
    }
    let watcher = Watcher { event in if case .deactivated(id) = event { executor.releaseHere() } }
    await it.deactivate()
    watcher.stop()
    await task.value
    #expect(journal.lines.isEmpty)
  }

  @Test func `L6 work whose scope ends while its task is made is cancelled and never begins`() async {
    let journal = Journal()
    let it = PlainInteractor()
    let id = ObjectIdentifier(it.lifecycle)
    await it.activate()
    let watcher = Watcher { event in
      switch event {
      // Nothing suspends in a deactivation whose callback is the default one: it is over before this returns.
      case .taskRegistered(id, _, _, _, _): Task.immediate { await it.deactivate() }
      case .taskCancelled(id, _): journal.write("cancelled")
      default: break
      }
    }
    let task = it.task { journal.write("ran") }
    await task.value
    watcher.stop()
    #expect(task.isCancelled)
    #expect(journal.lines == ["cancelled"])
  }

  @Test func `L6 of many tasks the unfinished ones are cancelled, in order`() async {
    let journal = Journal()
    let it = PlainInteractor()
    await it.activate()
    let started = Latch()
    for number in 1...100 {
      let ends = number.isMultiple(of: 3)
      let task = it.task {
        if ends { return }
        await withTaskCancellationHandler {
          await started.pass()
        } onCancel: {
          journal.write("\(number)")
        }
      }
      if ends { await task.value }
    }
    #expect(TreeDriver.state.withLock { $0[it.lifecycle.node].extras?.bound?.count } == 67)
    await started.reached(67)
    await it.deactivate()
    #expect(journal.lines == (1...100).filter { !$0.isMultiple(of: 3) }.map(String.init))
    started.open()
  }

  @Test func `L6 the next scope takes work again`() async {
    let it = PlainInteractor()
    for _ in 1...3 {
      await it.activate()
      let ran = Latch()
      let task = it.task { ran.open() }
      await ran.pass()
      await task.value
      #expect(!task.isCancelled)
      await it.deactivate()
    }
  }

  @Test func `L6 what a finished task held is released`() async {
    let it = PlainInteractor()
    await it.activate()
    let held = Weak<Journal>()
    do {
      let journal = Journal()
      held.object = journal
      await it.task { journal.write("ran") }.value
    }
    #expect(held.object == nil)
    await it.deactivate()
  }

  @Test func `L6 ten thousand finished tasks leave nothing behind`() async {
    let it = ProbeInteractor()
    await it.activate()
    for _ in 1...10_000 { await it.task {}.value }
    #expect(TreeDriver.state.withLock { $0[it.lifecycle.node].extras?.bound?.count } == 0)
    await it.deactivate()
  }

  @Test func `L8 a lifecycle that is released cancels its bound tasks and finishes its streams`() async {
    let journal = Journal()
    let started = Latch()
    var lifecycle: InteractorLifecycle? = InteractorLifecycle()
    await lifecycle?.activate {}
    let task = lifecycle?.register {
      started.open()
      await untilCancelled()
      journal.write("cancelled")
    }
    let stream = lifecycle?.isActiveStream
    await started.pass()
    lifecycle = nil
    await task?.value
    #expect(journal.lines == ["cancelled"])
    var values: [Bool] = []
    for await value in stream! { values.append(value) }
    #expect(values == [true])
  }

  @Test func `L8 a bound task that inherited a callback's locals keeps nothing alive`() async {
    let held = Weak<ProbeInteractor>()
    let started = Latch()
    let ended = Latch()
    do {
      let it = ProbeInteractor { interactor in
        interactor.task {
          started.open()
          await untilCancelled()
          ended.open()
        }
      }
      held.object = it
      await it.activate()
      await started.pass()
    }
    await ended.pass()
    #expect(held.object == nil)
  }

  @Test func `L9 bound work inherits priority, task-locals and the caller's executor`() async {
    let it = PlainInteractor()
    await it.activate()
    let executor = HoldingExecutor()
    let journal = Journal()
    let binder = Task(executorPreference: executor, priority: .low) {
      await Marked.$mark.withValue("here") {
        await it.task {
          journal.write("low: \(Task.basePriority == .low)")
          journal.write(Marked.mark)
          journal.write("prefers: \(executor.isPreferred)")
        }.value
      }
    }
    await binder.value
    #expect(journal.lines == ["low: true", "here", "prefers: true"])
    await it.deactivate()
  }

  @Test func `L9 bound work inherits priority and task-locals where no executor is preferred`() async {
    let it = PlainInteractor()
    await it.activate()
    let journal = Journal()
    let binder = Task(priority: .low) {
      await Marked.$mark.withValue("here") {
        await it.task {
          journal.write("low: \(Task.basePriority == .low)")
          journal.write(Marked.mark)
        }.value
      }
    }
    await binder.value
    #expect(journal.lines == ["low: true", "here"])
    await it.deactivate()
  }

  @Test func `L9 work bound in a callback prefers the executor of the activating task`() async {
    let executor = HoldingExecutor()
    let journal = Journal()
    let it = ProbeInteractor("it", journal) { interactor in
      interactor.task { journal.write("prefers: \(executor.isPreferred)") }
    }
    await withTaskExecutorPreference(executor) { await it.activate() }
    await journal.line("prefers: true")
    await it.deactivate()
  }

  @Test func `no event names a lifecycle that was released`() async {
    let latch = Latch()
    var lifecycle: InteractorLifecycle? = InteractorLifecycle()
    let log = TaskLog(of: ObjectIdentifier(lifecycle!))
    await lifecycle?.activate(invoking: {})
    let task = lifecycle?.register { await latch.pass() }
    await latch.reached()
    lifecycle = nil
    latch.open()
    await task?.value
    #expect(log.stop() == ["cancelled", "deinit"])
  }
}

private enum Marked {
  @TaskLocal static var mark = ""
}
