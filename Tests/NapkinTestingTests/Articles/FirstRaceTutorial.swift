// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// The second step of the tutorial, whose other parts are those of the article *Getting started*.
///
/// The account asks the bank first: on real threads the race of the other one is seldom seen, and not never.
@Suite struct FirstRaceOnRealThreads {
  typealias Account = GettingStartedMended.Account

  @Test func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}

/// The last step.
@Suite struct FirstRaceInEveryOrder {
  typealias Account = GettingStartedMended.Account

  @Test(.interleavings(10_000, strategy: .exhaustive())) func `an account is never overdrawn`() async {
    let account = Account()
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance >= 0)
  }
}
