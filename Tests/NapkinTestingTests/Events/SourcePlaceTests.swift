// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct SourcePlaceTests {
  /// Symbols as Swift 6.3 mangles them, their short form, and the name that a report shows.
  static let names = [
    ("$s4Bank7AccountC8withdrawyySiYaFTY1_", "Account.withdraw(_:)", "Account.withdraw(_:)"),
    ("$s4Bank7AccountC7balanceSivg", "Account.balance.getter", "Account.balance"),
    ("$s4Bank6SharedVyS2icigTQ0_", "Shared.subscript.getter", "Shared.subscript"),
    ("$s4Bank3runyyYaF", "run()", "run()"),
    ("$s4Bank3robyyYaKYbFTQ0_", "rob@Sendable ()", "rob()"),
    ("$s4Bank4PrivC4open5namedyS2i_SitXE_tYaFZTQ0_", "static Account.open(named:)", "Account.open(named:)"),
    ("$s4Bank5OuterV5InnerV2go_2inyx_qd__tYaFTQ0_", "Outer.Inner.go(_:in:)", "Inner.go(_:in:)"),
    ("$s4Bank3genyyxYaAA7StoringRzlFTQ0_", "gen<A>(_:)", "gen(_:)"),
    ("$s4Bank3BoxV3putyyxYaF", "Box<A>.put(_:)", "Box.put(_:)"),
    ("$s4Bank6SharedV1xACSi_tYacfCTQ0_", "Shared.init(x:)", "Shared.init(x:)"),
    (
      "$s5Tests007AccountB0V33`an account is never overdrawn`yyYaF",
      "closure #1 in AccountTests.`an account is never in debt`()",
      "closure in AccountTests.an account is never in debt()"
    ),
    ("$s5Tests3run2inySi_tYaFyyYaXEfU0_", "closure #2 in closure #1 in run(in:)", "closure in run(in:)"),
    ("$s5Tests3runyyYaF4bodyL_yySiYaYbF", "body #1 @Sendable (_:) in AccountTests.run()", "AccountTests.body(_:)"),
    (
      "$s4Bank7AccountC6shared_WZ", "closure #1 in variable initialization expression of static Account.shared",
      "closure in Account.shared"
    ),
  ]

  @Test(arguments: names) func `a symbol becomes the name in the source code`(
    symbol: String, short: String, name: String
  ) {
    #expect(SourcePlace(symbol: symbol, name: short)?.text == name)
  }

  @Test(arguments: [
    ("$sIetH_yts5Error_pIegHrzo_TR", "thunk for @escaping @callee_guaranteed @Sendable @async () -> ()"),
    (
      "$s5Tests5SuiteV0017Z2aa4d5789aac07c6fMu_",
      "implicit closure #1 in static Suite.$s5Tests0017Z2aa4d5789aac07c6fMu_"
    ),
    ("swift_task_switch", "swift_task_switch"), ("main", "main"), ("", ""), ("$s", ""), ("$s99", "a"), ("$s1X", ""),
    ("$s1X", "`"), ("$s1X", ")"), ("$s1X", "x in "), ("$s1X", "<<<"), ("$s1X", "A.<"), ("$s1X", "closure #1 in "),
  ])
  func `symbols without a source name are skipped`(symbol: String, name: String) {
    #expect(SourcePlace(symbol: symbol, name: name)?.module != "Tests")
  }

  @Test(arguments: [
    ("$s13NapkinTesting4GateC4passyyYaF", "NapkinTesting"), ("$s6Napkin6RouterC4loadyyYaF", "Napkin"),
    ("$sSa4BankSiRszlE5total2ofS2i_tYaFTQ0_", "Swift"), ("$ss5sleepyyYaF", "Swift"),
  ])
  func `the module is known, so that functions of the kit can be skipped`(symbol: String, module: String) {
    #expect(SourcePlace(symbol: symbol, name: "pass()")?.module == module)
  }
}
