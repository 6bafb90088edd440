// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

/// Random activations and starts of two workers, one of which goes on for a while after it is cancelled.
@Suite struct WorkerProgramTests {
  private final class Busy: Worker {
    private let isDeaf: Bool
    private let counts = Mutex((running: 0, most: 0, runs: 0))
    let isOpen = Mutex(false)

    init(isDeaf: Bool) { self.isDeaf = isDeaf }

    var most: Int { counts.withLock { $0.most } }
    var runs: Int { counts.withLock { $0.runs } }

    func run() async {
      #expect(isOpen.withLock { $0 }, "L12: a run begins outside the active scope")
      counts.withLock { counts in
        counts.running += 1
        counts.runs += 1
        counts.most = max(counts.most, counts.running)
      }
      for _ in 0..<4 where isDeaf || !Task.isCancelled { await Task.yield() }
      counts.withLock { $0.running -= 1 }
    }
  }

  private enum Call: Sendable, CaseIterable { case activate, deactivate, startDeaf, startQuick }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `L12 a worker has one run at a time, inside the active scope`() async {
    let calls = Gen<[Call]>.array(of: .allCases, count: 0...6)
    await explore(executions: 1_000) {
      let (deaf, quick) = (Busy(isDeaf: true), Busy(isDeaf: false))
      let it = ProbeInteractor("it", active: { $0.start(deaf) }, resign: { _ in await Task.yield() })
      let id = ObjectIdentifier(it.lifecycle)
      let watcher = Watcher { event in
        switch event {
        case .activated(id): for worker in [deaf, quick] { worker.isOpen.withLock { $0 = true } }
        case .deactivated(id): for worker in [deaf, quick] { worker.isOpen.withLock { $0 = false } }
        default: break
        }
      }
      let program = Execution.draw(.array(of: calls, count: 2...2), "calls")
      let callers = program.map { calls in
        Task {
          for call in calls {
            switch call {
            case .activate: await it.activate()
            case .deactivate: await it.deactivate()
            case .startDeaf: it.start(deaf)
            case .startQuick: it.start(quick)
            }
          }
        }
      }
      for caller in callers { await caller.value }
      await it.activate()
      await Execution.settle()
      #expect(deaf.most == 1, "L12: the worker runs once in the last activation, and never twice at the same time")
      #expect(quick.most <= 1, "L12: two runs at the same time")
      await it.deactivate()
      await Execution.settle()
      #expect(it.lifecycle.inspection.boundTasks == 0, "L12: a run is left")
      watcher.stop()
    }
  }
}
