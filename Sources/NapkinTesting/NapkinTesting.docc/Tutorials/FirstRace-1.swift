// SPDX-License-Identifier: Apache-2.0
import Testing

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
