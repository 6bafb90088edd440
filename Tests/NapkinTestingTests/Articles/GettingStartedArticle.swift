// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite(.fails(asShownIn: "README.md", "Sources/NapkinTesting/NapkinTesting.docc/GettingStarted.md"))
struct GettingStartedArticle {
  actor Bank {
    func approves(_ amount: Int) -> Bool { amount <= 1_000 }
  }

  actor Account {
    private(set) var balance = 100
    private let bank = Bank()

    func withdraw(_ amount: Int) async {
      guard balance >= amount, await bank.approves(amount) else { return }
      balance -= amount
    }
  }

  @Test(.interleavings(1_000)) func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}

@Suite struct GettingStartedMended {
  actor Bank {
    func approves(_ amount: Int) -> Bool { amount <= 1_000 }
  }

  actor Account {
    private(set) var balance = 100
    private let bank = Bank()

    func withdraw(_ amount: Int) async {
      guard await bank.approves(amount), balance >= amount else { return }
      balance -= amount
    }
  }

  @Test(.interleavings(1_000)) func `an account is never overdrawn once it asks the bank first`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}

@Suite struct FakesInAnyOrder {
  struct FakeServer {
    func status(of order: Int) async -> String {
      await Task.yield()
      return "order \(order) is ready"
    }
  }

  @Test func `a fake with a scheduling point answers in any order`() async {
    let exploration = await Explorer(executions: 100).run {
      let server = FakeServer()
      let answers = Recorder<String>()
      async let first: Void = answers.record(server.status(of: 1))
      async let second: Void = answers.record(server.status(of: 2))
      _ = await (first, second)
      #expect(answers.events == ["order 1 is ready", "order 2 is ready"])
    }
    #expect(exploration.failure != nil)
  }
}
