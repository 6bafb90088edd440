// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct BoundTasksRuleTests {
  private let forged = ForgedEvents()
  private let site = BindingSite(fileID: "App/Home.swift", line: 12)

  private var works: [LifecycleEvent] {
    [.lifecycleCreated(forged.life, owner: "A"), .activated(forged.life), .didBecomeActiveBegan(forged.life)] + [
      .taskRegistered(forged.life, task: 1, scope: forged.scope, site: site), .taskStarted(forged.life, task: 1),
      .didBecomeActiveEnded(forged.life),
    ]
  }

  private var ends: [LifecycleEvent] { forged.resigns(forged.life) + [.taskCancelled(forged.life, task: 1)] }
  private let name = "Task 1 of A, bound at App/Home.swift:12 during didBecomeActive(),"

  @Test func `L6 work that is not cancelled is reported at rest, with the line that bound it`() {
    let events = works + forged.resigns(forged.life)
    #expect(
      forged.verdicts(events) { $0.checkAtRest() }
        == ["L6 boundTasks: \(name) goes on uncancelled, though the interactor is inactive."])
    #expect(forged.verdicts(events, without: [.boundTasks]) { $0.checkAtRest() } == [])
  }

  @Test func `L6 work that does not end is reported at the end`() {
    let outlived = "L6 boundTasks: \(name) outlived its scope: it was cancelled, and has not ended."
    #expect(forged.verdicts(works + ends, without: [.release]) { $0.checkAtEnd() } == [outlived])
    #expect(forged.verdicts(works + ends, without: [.release, .boundTasks]) { $0.checkAtEnd() } == [])
  }

  @Test func `L8 work that outlives its interactor is reported, and forgotten when it ends`() {
    let orphaned = works + ends + [.lifecycleDeinit(forged.life)]
    let outlived = "L6 boundTasks: \(name) outlived its scope: it was cancelled, and has not ended."
    #expect(forged.verdicts(orphaned) { $0.checkAtEnd() } == [outlived])
    #expect(forged.verdicts(orphaned + [.orphanFinished(scope: forged.scope, task: 1)]) { $0.checkAtEnd() } == [])
  }

  @Test func `L8 work that goes on uncancelled without its interactor is reported at rest`() {
    #expect(
      forged.verdicts(works + forged.resigns(forged.life) + [.lifecycleDeinit(forged.life)]) { $0.checkAtRest() }
        == ["L6 boundTasks: \(name) goes on uncancelled, though the interactor is gone."])
  }

  @Test func `in a real tree the place is that of the call`() async throws {
    let line = #line + 3
    let fuzzer = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("wait for ever") {
        $0.interactor.task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      }
    let failure = try #require(await fuzzer.run(executions: 1, seed: 1).failure)
    #expect(
      failure.messages.contains {
        $0.hasPrefix(
          "L6 boundTasks: Task 1 of HomeInteractor, bound at NapkinTestingTests/BoundTasksRuleTests.swift:\(line), outlived"
        )
      }, "\(failure.messages)")
  }

  @Test(arguments: [2, 300])
  func `work that ends seconds after its cancellation has not outlived its scope`(seconds: Int) async {
    let exploration = await Self.fuzzer { Writer(for: .seconds(seconds)) }.run(executions: 20, seed: 1)
    #expect(exploration.failure == nil)
  }

  @Test func `work that waits for a service without an end is reported all the same`() async throws {
    let failure = try #require(await Self.fuzzer { Writer(for: nil) }.run(executions: 1, seed: 1).failure)
    #expect(failure.messages.contains { $0.contains("outlived its scope") }, "\(failure.messages)")
  }

  private static func fuzzer(_ worker: @escaping @Sendable () -> Writer) -> TreeFuzzer<Router<Author>> {
    TreeFuzzer { Router(interactor: Author(worker())) }.action("rest") { _ in await Task.yield() }
  }
}

/// Writes to a slow disk, which hears of no cancellation; or to one that polls for ever.
private final class Writer: Worker {
  private let time: Duration?
  init(for time: Duration?) { self.time = time }

  func run() async {
    await Task.detached { [time] in
      repeat { try? await Task.sleep(for: time ?? .seconds(1)) } while time == nil
    }.value
  }
}

private final actor Author: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let worker: Writer
  init(_ worker: Writer) { self.worker = worker }
  func didBecomeActive() async { start(worker) }
}
