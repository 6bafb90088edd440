// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

actor Register {
  private(set) var balance = 0
  private(set) var open: Set<Int> = []
  private let receipts: Recorder<Int>

  init(receipts: Recorder<Int>) { self.receipts = receipts }

  func open(_ table: Int) { open.insert(table) }

  func pay(_ amount: Int, for table: Int) {
    guard open.contains(table) else { return }
    open.remove(table)
    balance += amount
    receipts.record(amount)
  }
}

@Suite struct FuzzingASystemArticle {
  @Test func `the register agrees with its receipts`() async {
    let receipts = FuzzContext { Recorder<Int>("Receipts") }
    await Fuzzer { Register(receipts: receipts()) }
      .action(FuzzAction("open", with: .drawn(.int(in: 1...4))) { register, table in await register.open(table) })
      .action(
        FuzzAction("pay", with: .drawn(.int(in: 1...4))) { register, table in await register.pay(10, for: table) }
          .weight(2)
      )
      .invariant("every payment has a receipt") { await $0.balance == receipts().events.reduce(0, +) }
      .check(executions: 500)
  }

  @Test func `the register knows its open tables`() async {
    let tables = FuzzModel("open tables", Set<Int>())
    let receipts = FuzzContext { Recorder<Int>("Receipts") }
    await Fuzzer { Register(receipts: receipts()) }
      .action(
        FuzzAction("open", with: .drawn(from: tables, { _ in .int(in: 1...9) }, updating: { $0.insert($1) })) {
          register, table in await register.open(table)
        }
      )
      .action(
        FuzzAction(
          "pay",
          with: .drawn(from: tables, { $0.isEmpty ? nil : .element(of: $0.sorted()) }, updating: { $0.remove($1) })
        ) { register, table in await register.pay(10, for: table) }
      )
      .invariant("open is what was opened and not paid", of: tables) { register, tables in await register.open == tables
      }
      .check(executions: 500, concurrency: 1)
  }
}
