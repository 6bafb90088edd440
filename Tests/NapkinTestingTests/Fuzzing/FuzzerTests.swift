// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct FuzzerTests {
  private actor Account {
    private(set) var balance = 10
    func deposit(_ amount: Int) { balance += amount }

    /// Looks at the balance, suspends, and then acts on the balance from before.
    func withdrawHastily(_ amount: Int) async {
      guard balance >= amount else { return }
      await Task.yield()
      balance -= amount
    }

    func withdraw(_ amount: Int) {
      guard balance >= amount else { return }
      balance -= amount
    }
  }

  private func account(withdrawing withdraw: @escaping @Sendable (Account, Int) async -> Void) -> Fuzzer<Account> {
    Fuzzer { Account() }
      .action("deposit") { await $0.deposit(1) }
      .action(FuzzAction("withdraw", with: .drawn(.int(in: 1...10)), perform: withdraw))
      .invariant("never overdrawn") { await $0.balance >= 0 }
  }

  @Test func `overlapping callers of an actor are found, and shrunk to two of them`() async throws {
    let result = await account { await $0.withdrawHastily($1) }.run(executions: 1_000, seed: 1)
    let failure = try #require(result.failure)
    #expect(failure.messages.contains("Broken at rest: never overdrawn."))
    let story = try #require(failure.draws.first)
    #expect(story.contains("∥") && !story.contains("deposit") && !story.contains("→"), "\(story)")
  }

  @Test func `a sound actor survives`() async {
    await account { await $0.withdraw($1) }.check(executions: 500, seed: 1)
  }

  @Test func `each execution has a system of its own, which is torn down before it is released`() async {
    let (made, ended) = (Recorder<Int>(), Recorder<Int>())
    let result = await Fuzzer {
      made.record(1)
      return Account()
    }
    .action("deposit") { await $0.deposit(1) }
    .tearingDown { ended.record(await $0.balance) }
    .tearingDown { _ in ended.record(0) }
    .run(executions: 50, seed: 1)
    #expect(result.failure == nil)
    #expect(made.count == 50)
    #expect(ended.count == 100)
    #expect(ended.events.enumerated().allSatisfy { $0.offset.isMultiple(of: 2) ? $0.element > 10 : $0.element == 0 })
  }

  @Test func `a system that is an object is released when its execution ends`() async {
    final class Store: Sendable {
      let ends: Recorder<Int>
      init(_ ends: Recorder<Int>) { self.ends = ends }
      deinit { ends.record(1) }
    }
    let ends = Recorder<Int>()
    let kept = ValuePool<Store>("store")
    let result = await Fuzzer { Store(ends) }
      .action(FuzzAction("keep", into: kept) { $0 })
      .run(executions: 20, seed: 1)
    #expect(result.failure == nil)
    #expect(ends.count == 20)
  }

  @Test func `a pool hands values on, and a precondition skips`() async {
    let tickets = ValuePool<Int>("ticket")
    let used = Mutex(0)
    let result = await account { await $0.withdraw($1) }
      .action(FuzzAction("look", into: tickets) { await $0.balance })
      .action(
        FuzzAction("use", with: .taken(from: tickets)) { _, balance in
          used.withLock { $0 += 1 }
          #expect(balance > 5)
        }.when { await $0.balance > 100 }
      )
      .run(executions: 100, actions: 1...8, seed: 1)
    #expect(result.failure == nil)
    #expect(used.withLock { $0 } == 0)
    #expect(result.warnings.contains { $0.contains("\"use\" was drawn") })
  }

  @Test func `a broken invariant is seen after an action, too`() async throws {
    let fuzzer = Fuzzer { Account() }
      .action("overdraw and restore") {
        await $0.deposit(-20)
        await Task.yield()
        await $0.deposit(20)
      }
      .action("nothing") { _ in }
    #expect(await fuzzer.invariant("never overdrawn") { await $0.balance >= 0 }.run(executions: 200).failure == nil)
    let strict = fuzzer.invariant("never overdrawn", checked: .afterEveryAction) { await $0.balance >= 0 }
    let failure = try #require(await strict.run(executions: 200, seed: 1).failure)
    #expect(failure.messages.contains { $0.hasPrefix("Broken after \"nothing\"") })
  }
}
