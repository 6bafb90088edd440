// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
import Napkin
import NapkinTesting
import Testing

/// Misuse on the real thread pool by tasks that no execution waits for.
///
/// Each test has a process of its own, where no exploration of another test holds the main actor.
@Suite struct ParallelMisuseTests {
  @Test func `a misuse by what a deinit starts is a failure unless it is allowed`() async {
    await #expect(processExitsWith: .success) {
      let careless = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
        .action("drop a root that attaches a router to itself") { _ in
          let root = Router(interactor: CarelessInteractor(HomeRouter(interactor: HomeInteractor())))
          await root.interactor.activate()
        }
      #expect(await careless.allowingMisuse().run(executions: 5, strategy: .parallel, seed: 1).failure == nil)
      let failure = try #require(await careless.run(executions: 5, strategy: .parallel, seed: 1).failure)
      #expect(failure.messages.first?.hasPrefix("M1 misuse: attachChild was called on HomeRouter") == true)
    }
  }

  @Test func `a misuse after the end of its execution does nothing where it is allowed`() async {
    await #expect(processExitsWith: .success) {
      let exploration = await leaveTaskBehind { $0.allowingMisuse() }
      #expect(exploration.failure == nil)
    }
  }

  #if DEBUG
  @Test func `a misuse after the end of its execution is reported where it is not allowed`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await leaveTaskBehind { $0 }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("attachChild was called on HomeRouter with that same router."))
  }
  #endif
}

/// Runs one execution that leaves a task behind, which attaches the root to itself after the end.
private func leaveTaskBehind(_ rules: (TreeFuzzer<HomeRouter>) -> TreeFuzzer<HomeRouter>) async -> Exploration {
  let (beginning, begin) = AsyncStream<Void>.makeStream()
  let (ends, end) = AsyncStream<Void>.makeStream()
  let fuzzer = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
    .action("leave a task behind") { root in
      Task {
        for await _ in beginning {}
        await root.attachChild(root)
        end.finish()
      }
    }
    .ignoring(.release)
  let exploration = await rules(fuzzer).run(executions: 1, actions: 1...1, strategy: .parallel, seed: 1)
  begin.finish()
  for await _ in ends {}
  return exploration
}

private final actor CarelessInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let router: HomeRouter

  init(_ router: HomeRouter) { self.router = router }

  func willResignActive() async { await router.attachChild(router) }
}
#endif
