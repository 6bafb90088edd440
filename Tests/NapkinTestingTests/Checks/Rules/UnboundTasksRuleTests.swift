// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite(.enabled(if: PlatformWays.findFunctions, "the function of a task is found by a library of Linux's toolchain"))
struct UnboundTasksRuleTests {
  /// The failures of ten executions in each of which the screen is opened once and may be closed.
  private func failure(
    of screen: @escaping @MainActor @Sendable () -> any Interactable, without rules: LifecycleRule...
  ) async -> Exploration.Failure? {
    await TreeFuzzer { TableRouter(of: screen) }.ignoring(rules)
      .action("open") { await $0.open() }
      .action("close") { await $0.close() }
      .run(executions: 10, seed: 1).failure
  }

  @Test func `L6 a task that listens for ever is reported with the line that started it`() async throws {
    let news = Server()
    let failure = try #require(await failure { Listener(news) })
    let line = Listener.line
    #expect(
      failure.messages.first?.replacing(#/task \d+/#, with: "task N") == """
        L6 unboundTasks: The task started at UnboundTasksRuleTests.swift:\(line) in Listener.didBecomeActive() (task N) \
        still waits at UnboundTasksRuleTests.swift:\(line + 1), though its tree is gone.
        Likely cause: `Task { }` is bound to no interactor, so the end of an activation does not cancel it.
        What to do: start it with `task { }`, which is cancelled when the interactor resigns, or keep it and cancel it in \
        `willResignActive()`.
        """)
    #expect(await self.failure(of: { Listener(news) }, without: .unboundTasks) == nil)
  }

  @Test func `L6 a task that polls for ever is reported`() async throws {
    let failure = try #require(await failure { Poller() })
    #expect(failure.messages.first?.contains(" still sleeps again and again at ") == true, "\(failure.messages)")
  }

  @Test func `L6 a task that sleeps for a day and then ends is left alone`() async {
    #expect(await failure { Sleeper(of: .seconds(86_400)) } == nil)
    // Beside a service that polls for ever, in a child of the task, it may be the last sleep.
    #expect(await failure { Sleeper(of: .seconds(86_400), beside: Server()) } == nil)
  }

  @Test func `L6 a task that a service has started is not of the tree`() async {
    #expect(await failure { Customer(Server()) } == nil)
  }

  @Test func `L6 a task that an action of the test has started is not of the tree`() async {
    let fuzzer = TreeFuzzer { TableRouter { Sleeper(of: .zero) } }
      .action("listen") { _ in Task { for await _ in AsyncStream<Int>.makeStream().stream {} } }
    #expect(await fuzzer.run(executions: 10, seed: 1).failure == nil)
  }
}

private final actor TableInteractor: Interactable { nonisolated let lifecycle = InteractorLifecycle() }

private final class TableRouter: Router<TableInteractor> {
  private let screen: @MainActor () -> any Interactable
  private var child: (any Routing)?

  init(of screen: @escaping @MainActor () -> any Interactable) {
    self.screen = screen
    super.init(interactor: TableInteractor())
  }

  func open() async {
    guard child == nil else { return }
    let child = Self.router(of: screen())
    self.child = child
    await attachChild(child)
  }

  func close() async {
    guard let child else { return }
    self.child = nil
    await detachChild(child)
  }

  private static func router(of interactor: some Interactable) -> any Routing { Router(interactor: interactor) }
}

/// A service that outlives the tree, whose first caller makes it listen and poll for ever.
private actor Server {
  private var listens: Task<Void, Never>?
  private var polls: Task<Void, Never>?

  func listen() {
    listens = listens ?? Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
  }

  func poll() {
    polls = polls ?? Task { while true { try? await Execution.clock.sleep(for: .seconds(1)) } }
  }
}

private final actor Listener: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  static let line = #line + 6
  private let news: Server
  private var count = 0
  init(_ news: Server) { self.news = news }

  func didBecomeActive() async {
    Task { [weak self] in
      for await _ in AsyncStream<Int>.makeStream().stream { await self?.increment() }
    }
  }

  private func increment() { count += 1 }
}

private final actor Poller: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()

  func didBecomeActive() async {
    Task { while true { try? await Execution.clock.sleep(for: .seconds(1)) } }
  }
}

private final actor Sleeper: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let duration: Duration
  private let server: Server?

  init(of duration: Duration, beside server: Server? = nil) { (self.duration, self.server) = (duration, server) }

  func didBecomeActive() async {
    await server?.poll()
    Task { [duration] in
      await withTaskGroup { group in
        group.addTask { try? await Execution.clock.sleep(for: duration) }
      }
    }
  }
}

private final actor Customer: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let server: Server
  init(_ server: Server) { self.server = server }
  func didBecomeActive() async { await server.listen() }
}
