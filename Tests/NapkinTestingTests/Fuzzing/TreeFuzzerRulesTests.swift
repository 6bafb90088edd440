// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct TreeFuzzerRulesTests {
  private let careless = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
    .action("attach the root to itself") { await $0.attachChild($0) }

  @Test func `a misuse is a failure unless it is switched off`() async throws {
    let failure = try #require(await careless.run(executions: 10, seed: 1).failure)
    #expect(
      failure.messages.contains {
        $0.hasPrefix("M1 misuse: attachChild was called on HomeRouter with that same router.")
      })
    #expect(await careless.ignoring(.misuse).run(executions: 10, seed: 1).failure == nil)
    #expect(await careless.ignoring(LifecycleRule.allCases).run(executions: 10, seed: 1).failure == nil)
  }

  @Test func `a rule that is switched off leaves the others on`() async throws {
    let failure = try #require(await careless.ignoring(.release, .loading).run(executions: 10, seed: 1).failure)
    #expect(failure.messages.contains { $0.hasPrefix("M1 misuse: ") })
  }

  @Test func `a leak is a failure unless it is switched off`() async throws {
    let leaking = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("close a cycle") { await $0.interactor.hold($0) }
    let failure = try #require(await leaking.run(executions: 10, seed: 1).failure)
    #expect(
      failure.messages.contains {
        $0.hasPrefix("T10 release: HomeRouter was never released: HomeRouter.interactor.router holds it.")
      },
      "\(failure.messages)")
    #expect(await leaking.ignoring(.release).run(executions: 10, seed: 1).failure == nil)
  }

  @Test func `a leak through two properties is named, and the advice names it`() async throws {
    let fuzzer = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("open") { await $0.attachChild(Router(interactor: ListInteractor(presenter: ListPresenter()))) }
    let failure = try #require(await fuzzer.run(executions: 10, seed: 1).failure)
    let path = "ListInteractor.presenter.listener"
    let diagnostic = try #require(failure.diagnostics.first)
    #expect(diagnostic.summary == "T10 release: ListInteractor was never released: \(path) holds it.")
    #expect(diagnostic.suggestion?.hasPrefix("make `\(path)` weak") == true, "\(diagnostic)")
  }

  @Test func `a slot whose closure holds its router is named, and nothing that goes with that`() async throws {
    let fuzzer = TreeFuzzer { GalleryRouter(interactor: HomeInteractor()) }.action("open") { await $0.open() }
    let failure = try #require(await fuzzer.run(executions: 10, seed: 1).failure)
    #expect(
      failure.diagnostics.map(\.summary) == [
        "T10 release: GalleryRouter was never released: the closure of the slot GalleryRouter.picture holds it."
      ])
    #expect(
      failure.diagnostics.first?.suggestion
        == "capture the router weakly in the closure of the slot `GalleryRouter.picture`.")
  }

  @Test func `of a parent that is not released and its children, the parent is reported`() async throws {
    let fuzzer = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("attach, and close a cycle") {
        await $0.attachChild(Router(interactor: MockInteractor()))
        await $0.interactor.hold($0)
      }
    let failure = try #require(await fuzzer.run(executions: 10, seed: 1).failure)
    #expect(
      failure.diagnostics.map(\.summary)
        == ["T10 release: HomeRouter was never released: HomeRouter.interactor.router holds it."])
  }

  @Test func `a monitor of one's own judges each step`() async throws {
    let fuzzer = TreeFuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }
      .action("tap profile") { await $0.routeToProfile() }
      .action("profile finishes") { await $0.routeBackFromProfile() }
      .monitor("profiles stay") { _ in NothingLeaves() }
    let failure = try #require(await fuzzer.run(executions: 100, seed: 1).failure)
    #expect(failure.messages.contains("profiles stay: Router<ProfileInteractor> has left CarefulHomeRouter."))
  }

  @Test func `without monitors those of one's own do not judge either`() async throws {
    let fuzzer = TreeFuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }
      .action("tap profile") { await $0.routeToProfile() }
    #expect(
      await fuzzer.withoutMonitors().monitor("loads", { _ in MostLoads(1) }).run(executions: 50, seed: 1).failure == nil
    )
  }

  @Test func `a monitor of one's own judges the end, and is made anew for each execution`() async throws {
    let fuzzer = TreeFuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }
      .action("tap profile") { await $0.routeToProfile() }
    // In the root's one life nothing but the root is loaded before an action is run.
    #expect(await fuzzer.monitor("loads", { _ in MostLoads(2) }).run(executions: 50, seed: 1).failure == nil)
    let failure = try #require(
      await fuzzer.monitor("loads", { _ in MostLoads(1) }).run(executions: 50, seed: 1).failure)
    #expect(failure.messages.contains("loads: 2 routers were loaded."))
  }

  @Test func `an invariant can be looked at after every action`() async throws {
    // A settled tree has no trace of it.
    let fuzzer = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("leave something undone") { root in
        root.isUntidy = true
        Task {
          await Task.yield()
          root.isUntidy = false
        }
      }
    #expect(await fuzzer.invariant("tidy", { !$0.isUntidy }).run(executions: 50, seed: 1).failure == nil)
    let always = fuzzer.invariant("tidy", checked: .afterEveryAction) { !$0.isUntidy }
    let failure = try #require(await always.run(executions: 50, seed: 1).failure)
    #expect(failure.messages.contains(#"Broken after "leave something undone": tidy."#))
  }
}

/// A router with two slots, of which one keeps it alive.
private final class GalleryRouter: Router<HomeInteractor> {
  private var shown = 0
  private lazy var frame = ChildSlot<any Routing>(of: self) { [weak self] _, _ in self?.shown += 1 }
  private lazy var picture = ChildSlot<any Routing>(of: self) { [self] _, _ in shown += 1 }

  func open() async {
    for slot in [frame, picture] { await slot.show { Router(interactor: MockInteractor()) } }
  }
}

/// A presenter that holds its listener strongly, as in the commonest leak of a napkin.
@MainActor private final class ListPresenter {
  var listener: (any Interactable)?
}

private final actor ListInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: ListPresenter
  init(presenter: ListPresenter) { self.presenter = presenter }
  func didBecomeActive() async { await MainActor.run { presenter.listener = self } }
}

private struct NothingLeaves: TreeMonitor {
  mutating func observe(_ event: TreeEvent) -> String? {
    guard event.kind == .detached, let parent = event.parent else { return nil }
    return "\(event.subject) has left \(parent)."
  }
}

private struct MostLoads: TreeMonitor {
  private let most: Int
  private var loads = 0

  init(_ most: Int) { self.most = most }

  mutating func observe(_ event: TreeEvent) -> String? {
    if event.kind == .loadEnded { loads += 1 }
    return nil
  }

  mutating func atEnd() -> String? { loads > most ? "\(loads) routers were loaded." : nil }
}
