// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct FuzzTallyTests {
  private let home = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
    .action("tidy up") { $0.isUntidy = false }

  private static func withoutCounts(_ text: String) -> String { text.replacing(/[0-9.]*[0-9]+/, with: "…") }

  @Test func `a precondition that never holds is a warning at the line of its action`() async throws {
    let line = #line + 1
    let fuzzer = home.action(FuzzAction("work") { _ in }.when { $0.isUntidy })
    let record = try #require(await issueRecords { await fuzzer.check(executions: 50, seed: 1) }.first)
    #expect(
      Self.withoutCounts(record.text) == """
        The action "work" was drawn … times and skipped each time: nothing of what it does was tested.
        Likely cause: its precondition, when(_:), asks for what no other action brings about, or is the wrong way round.
        What to do: add the actions that lead there, or correct the precondition.
        """)
    #expect(record.line == line)
  }

  @Test func `a precondition that holds now and then is no warning`() async {
    let fuzzer = home.action("leave something undone") { $0.isUntidy = true }
      .action(FuzzAction("work") { _ in }.when { $0.isUntidy })
    #expect(await fuzzer.run(executions: 50, seed: 1).warnings == [])
  }

  @Test func `a pool that stays empty is a warning that names it`() async {
    let tickets = ValuePool<Int>("ticket")
    let exploration = await home.action(FuzzAction("draw", into: tickets) { _ in nil })
      .action(FuzzAction("use", with: .taken(from: tickets)) { _, _ in })
      .run(executions: 50, seed: 1)
    #expect(exploration.warnings.count == 1)
    #expect(
      exploration.warnings.first?.contains(
        #"Likely cause: no action puts anything into the pool "ticket", or those that do come to nothing"#) == true)
  }

  @Test func `an action that is never drawn is a warning with its weight`() async {
    let seldom = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("tidy up", weight: 1_000_000_000) { _ in }
      .action("win") { _ in }
    #expect(
      await seldom.run(executions: 50, seed: 1).warnings.map(Self.withoutCounts) == [
        """
        The action "win" was never run: … executions drew … actions, and not this one.
        Likely cause: its weight of … is small beside the weights of the others.
        What to do: give it more weight, or run more executions, or longer ones with actions: ….
        """
      ])
  }

  @Test func `actions that no state of a model allows are a warning that names the model`() async {
    let model = FuzzModel("door", 0)
    let closed = Fuzzer { 0 }.action(FuzzAction("close") { _ in }.when(model) { $0 == 1 })
    #expect(
      await closed.run(executions: 50, seed: 1).warnings.filter { $0.contains("close") }.map(Self.withoutCounts) == [
        """
        The action "close" was never run: … executions drew … actions, and not this one.
        Likely cause: its model, when(_:_:), allows it in no state that other actions lead to.
        What to do: add the actions that lead there, give it more weight, or correct the condition.
        """
      ])
  }

  @Test func `processes of their own count together what did nothing`() async throws {
    let fuzzer = Fuzzer { 0 }.action("tidy up") { _ in }
      .action(FuzzAction("close") { _ in }.when { _ in false })
    var texts: [String] = []
    for isolated in [false, true] {
      // A strategy that learns draws other values where each process learns by itself.
      let explorer = Explorer(executions: 50, strategy: .random, seed: 1, isolated: isolated)
      texts.append(try #require(await issueRecords { await fuzzer.check(by: SearchContext(explorer)) }.first).text)
    }
    #expect(texts.first?.hasPrefix("The action \"close\" was drawn ") == true)
    #expect(texts.first == texts.last)
  }

  @Test func `few executions say nothing of what was not run in them`() async {
    let fuzzer = home.action(FuzzAction("work") { _ in }.when { $0.isUntidy })
    #expect(await fuzzer.run(executions: 1, seed: 1).warnings == [])
  }

  @Test func `an exploration that fails reports that, and no more`() async {
    let fuzzer = home.action(FuzzAction("work") { _ in }.when { $0.isUntidy })
      .invariant("never") { _ in false }
    let exploration = await fuzzer.run(executions: 50, seed: 1)
    #expect(exploration.failure != nil)
    #expect(exploration.warnings == [])
  }
}
