// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct FunctionNameTests {
  /// What the runtime of Swift 6.3 makes of real symbols, and what a reader is to see of it.
  static let names = [
    ("(2) suspend resume partial function for Bank.Account.withdraw(_: Swift.Int) async -> ()", "Account.withdraw(_:)"),
    (
      "(1) await resume partial function for Bank.Account.move(_: Swift.Int, to: Bank.Account) async -> Swift.Bool",
      "Account.move(_:to:)"
    ),
    ("Bank.Account.balance.getter : Swift.Int", "Account.balance"),
    ("Bank.run() async -> ()", "run()"),
    ("static Bank.Account.open(named: (Swift.Int, Swift.Int) -> Swift.Int) async -> ()", "Account.open(named:)"),
    ("Bank.Vault.(open in _69FC2087C69EEF6AB78FC934090BA353)(for: Swift.Int) async -> ()", "Vault.open(for:)"),
    (
      "(5) suspend resume partial function for Tests.(lostUpdate in _69FC2087C69EEF6AB78FC934090BA353)@Sendable () async throws -> ()",
      "lostUpdate()"
    ),
    ("Tests.(Cell in _69FC2087C69EEF6AB78FC934090BA353).set(Swift.Int) async -> ()", "Cell.set(_:)"),
    ("Tests.(helper in _69FC20)(Tests.(Vault in _69FC20)) async -> ()", "helper(_:)"),
    ("(extension in Bank):Swift.Array< where A: Swift.Int>.total(of: A) async -> A", "Array.total(of:)"),
    ("Bank.Box<A>.put(A) async -> ()", "Box.put(_:)"),
    (
      "(1) suspend resume partial function for closure #1 (inout Swift.TaskGroup<()>) async -> () in Tests.AccountTests.`an account is never overdrawn`() async throws -> ()",
      "closure in AccountTests.an account is never overdrawn()"
    ),
    (
      "partial apply forwarder for closure #2 () async -> () in closure #1 (inout Swift.TaskGroup<()>) async -> () in Tests.run(in: Swift.Int) async -> ()",
      "closure in run(in:)"
    ),
    (
      "(2) await resume partial function for body #1 @Sendable () async throws -> () in Tests.AccountTests.run() async -> ()",
      "AccountTests.body()"
    ),
    (
      "closure #1 () -> () in variable initialization expression of static Bank.Account.shared : Bank.Account",
      "closure in Account.shared"
    ),
    (
      "protocol witness for Bank.Storing.load() async -> () in conformance Bank.Store : Bank.Storing in Bank",
      "Storing.load()"
    ),
  ]

  @Test(arguments: names) func `a symbol becomes the name that a reader knows`(symbol: String, name: String) {
    #expect(FunctionName(demangled: symbol)?.text == name)
  }

  @Test(arguments: [
    "reabstraction thunk helper from @escaping @isolated(any) @callee_guaranteed @async () -> (@out ())",
    "implicit closure #1 @Sendable () async throws -> () in static Tests.Suite.($s18Tests_17Z2aa4d5789aac07c6fMu_ in _29A5)@Sendable () async -> ()",
    "swift_task_switch", "main", "", "(", "a.b(", "`", "x in", "<<<", "A.<", "closure #1 in ",
  ])
  func `what nobody wrote has no name, and what cannot be read does no harm`(symbol: String) {
    #expect(FunctionName(demangled: symbol)?.module != "Tests")
  }

  @Test func `the module is told apart, so that the kit's own functions can be passed over`() {
    #expect(FunctionName(demangled: "NapkinTesting.Gate.pass() async -> ()")?.module == "NapkinTesting")
  }
}
