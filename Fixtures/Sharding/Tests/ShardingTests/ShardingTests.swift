// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// Two of the four fail on purpose.
@Suite(.serialized) struct ShardingTests {
  actor Account {
    private(set) var balance = 100
    private let bank = Bank()

    func withdraw(_ amount: Int) async {
      guard balance >= amount, await bank.approves(amount) else { return }
      balance -= amount
    }
  }

  actor Bank {
    func approves(_ amount: Int) -> Bool { amount <= 1_000 }
  }

  @Test(.interleavings(400, seed: 7)) func `each execution prints what it draws`() async {
    print("ran \(Execution.draw(.int(in: 0...1_000_000_000)))")
    await Task.yield()
  }

  @Test(.simulated) func `a simulated test has one execution`() async {
    print("simulated")
    await Task.yield()
  }

  @Test(.interleavings(400, seed: 7)) func `every shard finds the race`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }

  // With seed 7 one of the 400 executions draws it.
  @Test(.interleavings(400, seed: 7)) func `one shard finds the rare draw`() async {
    #expect(Execution.draw(.int(in: 0...399)) != 7)
  }
}
