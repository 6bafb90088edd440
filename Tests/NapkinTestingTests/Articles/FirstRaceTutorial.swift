// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

struct FirstRace1 {
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
}

/// Not run, since on real threads its race is seldom seen, and not never.
@Suite(.disabled()) struct FirstRace2 {
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

  @Test func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/GettingStarted.md")) struct FirstRace3 {
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

@Suite struct FirstRace4 {
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

  @Test(.interleavings(1_000)) func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}

@Suite struct FirstRace5 {
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

  @Test(.interleavings(10_000, strategy: .exhaustive())) func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}
