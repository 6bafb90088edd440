// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// The code in the doc comments of fuzzers of any system, as `ArticleTests` looks it up.
@Suite struct FuzzerSnippets {
  actor Account {
    private(set) var balance: Int
    init(balance: Int) { self.balance = balance }
    func deposit(_ amount: Int) { balance += amount }
    func withdraw(_ amount: Int) { if balance >= amount { balance -= amount } }
  }

  actor Cache {
    private var keys: Set<Int> = []
    private let clicks: Recorder<Int>
    init(clicks: Recorder<Int> = Recorder()) { self.clicks = clicks }
    func store(_ key: Int) { keys.insert(key) }
    func lookUp(_ key: Int) { #expect(keys.contains(key)) }
  }

  @Test func `an actor is fuzzed`() async {
    await Fuzzer { Account(balance: 100) }
      .action("deposit") { await $0.deposit(10) }
      .action(
        FuzzAction("withdraw", with: .drawn(.int(in: 1...100))) { account, amount in await account.withdraw(amount) }
      )
      .invariant("never overdrawn") { await $0.balance >= 0 }
      .check(executions: 1_000)
  }

  @Test func `a model decides what is drawn`() async {
    let used = FuzzModel("keys in use", Set<Int>())
    let fuzzer = Fuzzer { Cache() }
      .action(
        FuzzAction("store", with: .drawn(from: used, { _ in .int(in: 1...9) }, updating: { $0.insert($1) })) {
          cache, key in
          await cache.store(key)
        }
      )
      .action(
        FuzzAction("look up", with: .drawn(from: used) { $0.isEmpty ? nil : .element(of: $0.sorted()) }) { cache, key in
          await cache.lookUp(key)
        })
    await fuzzer.check(executions: 100, concurrency: 1)
  }

  @Test func `a context stands outside`() async {
    let clicks = FuzzContext { Recorder<Int>("Clicks") }
    let fuzzer = Fuzzer { Cache(clicks: clicks()) }
      .action("click") { _ in clicks().record(1) }
    await fuzzer.check(executions: 100)
  }
}
