// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct JSONValueTests {
  @Test func `a value of every kind is read`() {
    let text = #" {"a": [1, -2.5e1, true, false, null], "b": {"c": "x\"\\\/\n\u0041\uD83D\uDE00é"}, "d": {}, "e": []} "#
    #expect(
      JSONValue(text.utf8)
        == .object([
          "a": .array([.number(1), .number(-25), .bool(true), .bool(false), .null]),
          "b": .object(["c": .string("x\"\\/\nA😀é")]), "d": .object([:]), "e": .array([]),
        ]))
  }

  @Test(arguments: [
    "", "{", "[1,", "[1 2]", "\"a", "\"\\", "\"\\u12", "\"\\uD83D\"", "{\"a\"}", "{\"a\":}", "tru", "1 2", "-",
    String(repeating: "[", count: 10_000),
  ])
  func `what is no JSON is nil`(text: String) {
    #expect(JSONValue(text.utf8) == nil)
  }
}
