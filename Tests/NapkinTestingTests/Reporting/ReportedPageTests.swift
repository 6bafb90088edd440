// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Account {
  private(set) var balance = 100
  private let bank = Bank()

  func withdraw(_ amount: Int) async {
    guard balance >= amount, await bank.approves(amount) else { return }
    balance -= amount
  }
}

private actor Bank {
  func approves(_ amount: Int) -> Bool { amount <= 1_000 }
}

private struct Overdrawn: Error {}

/// The page that `.ci/report-page` opens in a browser: with `NAPKIN_REPORT_DIR`, this leaves a page there.
@Suite struct ReportedPageTests {
  @Test func `a failure with "names" & <markup> is reported, and its page can be opened`() async {
    // An optimised build merges hops, and the race goes with them.
    await withKnownIssue(isIntermittent: !YardstickProgram.haveAllHops) {
      await explore(strategy: .random, seed: 7) {
        let account = Account()
        Execution.note(HTMLPageTests.hostile)
        let amount = Execution.draw(.int(in: 51...99), "amount</script>")
        let tasks = (1...2).map { number in
          Task(name: "teller \(number) <b>") {
            try? await Task.sleep(for: .seconds(1))
            await account.withdraw(amount)
          }
        }
        await Task(name: "auditor") { await account.withdraw(1) }.value
        let timeout = Task { try await Task.sleep(for: .seconds(60)) }
        for task in tasks { await task.value }
        timeout.cancel()
        // An expectation would be known already where it fails, and the exploration would go on.
        if await account.balance < 0 { throw Overdrawn() }
      }
    }
  }
}
