// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Workers, moment by moment (L12).
@Suite struct WorkerTests {
  private let journal = Journal()

  /// A worker that writes its runs down, and goes on until a latch is open, whether or not it is cancelled.
  private final class Slow: Worker {
    private let journal: Journal
    let latch = Latch()

    init(_ journal: Journal) { self.journal = journal }

    func run() async {
      journal.write("run")
      await latch.pass()
      journal.write(Task.isCancelled ? "run cancelled" : "run ended")
    }
  }

  /// An active interactor whose worker waits at its latch.
  private static func started() async -> (ProbeInteractor, Slow, Journal) {
    let journal = Journal()
    let worker = Slow(journal)
    let it = ProbeInteractor("it", active: { $0.start(worker) })
    await it.activate()
    await worker.latch.reached()
    return (it, worker, journal)
  }

  @Test func `L12 a worker runs while its interactor is active, then it is cancelled`() async {
    let worker = Listening(journal)
    let it = ProbeInteractor("it", journal, active: { $0.start(worker) })
    await it.activate()
    await journal.line("listens")
    await it.deactivate()
    await journal.line("heard the end")
    #expect(
      journal.lines.filter { $0 != "listens" } == [
        "it active", "it active ended", "it resign", "it resign ended", "heard the end",
      ])
  }

  private actor Listening: Worker {
    private let journal: Journal
    init(_ journal: Journal) { self.journal = journal }

    func run() async {
      journal.write("listens")
      await untilCancelled()
      journal.write("heard the end")
    }
  }

  @Test func `L12 a worker that is started while inactive never runs`() async {
    await explore(executions: 1) {
      let (journal, it) = (Journal(), ProbeInteractor("it"))
      let worker = Slow(journal)
      it.start(worker)
      await it.activate()
      await it.deactivate()
      it.start(worker)
      await Execution.settle()
      #expect(journal.lines == [])
    }
  }

  @Test func `L12 a second start during a run does nothing, and one after its end runs again`() async {
    await explore(executions: 1) {
      let (journal, it) = (Journal(), ProbeInteractor("it"))
      let worker = Slow(journal)
      await it.activate()
      it.start(worker)
      it.start(worker)
      await worker.latch.reached()
      it.start(worker)
      #expect(it.lifecycle.inspection.boundTasks == 1)
      worker.latch.open()
      await Execution.settle()
      #expect(journal.lines == ["run", "run ended"])
      it.start(worker)
      await Execution.settle()
      #expect(journal.lines == ["run", "run ended", "run", "run ended"])
      await it.deactivate()
    }
  }

  @Test func `L12 a run waits until that of an earlier activation has ended`() async {
    await explore(executions: 50) {
      let (it, worker, journal) = await Self.started()
      await it.deactivate()
      await it.activate()
      await Execution.settle()
      #expect(journal.lines == ["run"])
      worker.latch.open()
      await Execution.settle()
      #expect(journal.lines == ["run", "run cancelled", "run", "run ended"])
      await it.deactivate()
    }
  }

  @Test func `L12 an activation that ends before its run begins leaves no gap in the order`() async {
    await explore(executions: 50) {
      let (it, worker, journal) = await Self.started()
      for _ in 1...3 {
        await it.deactivate()
        await it.activate()
      }
      worker.latch.open()
      await Execution.settle()
      #expect(journal.lines == ["run", "run cancelled", "run", "run ended"])
      await it.deactivate()
    }
  }

  @Test func `L12 two workers of one type run at the same time`() async {
    let it = ProbeInteractor("it")
    let workers = [Slow(journal), Slow(journal)]
    await it.activate()
    for worker in workers {
      it.start(worker)
      await worker.latch.reached()
    }
    #expect(journal.lines == ["run", "run"])
    for worker in workers { worker.latch.open() }
    await it.deactivate()
  }

  @Test func `L8 L12 a worker does not keep its interactor, and is released after its run`() async {
    await explore(executions: 20) {
      let worker = Weak<Listening>()
      let gone = Weak<ProbeInteractor>()
      do {
        let listening = Listening(Journal())
        let it = ProbeInteractor("it", active: { [weak listening] it in if let listening { it.start(listening) } })
        (worker.object, gone.object) = (listening, it)
        await it.activate()
        await Execution.settle()
      }
      await Execution.settle()
      #expect(gone.object == nil && worker.object == nil)
    }
  }
}
