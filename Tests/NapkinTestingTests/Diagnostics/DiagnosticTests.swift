// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct DiagnosticTests {
  @Test func `a diagnostic has the summary, the likely cause and the suggestion on three lines`() {
    let diagnostic = Diagnostic(.misuse, "It failed.", likelyCause: "a typo.", suggestion: "correct it.")
    #expect(diagnostic.description == "It failed.\nLikely cause: a typo.\nWhat to do: correct it.")
  }

  @Test func `a line without a text is left out`() {
    #expect(Diagnostic(.misuse, "It failed.").description == "It failed.")
    #expect(Diagnostic(.misuse, "It failed.", suggestion: "wait.").description == "It failed.\nWhat to do: wait.")
  }

  @Test func `a list has at most a dozen elements, and the number of the others`() {
    #expect([Int]().listed() == "nothing")
    #expect((1...3).listed() == "1, 2, 3")
    #expect((1...5).listed(limit: 3) == "1, 2, 3 and 2 more")
  }

  @Test func `lanes of several texts are in parentheses beside others, whatever the texts are`() {
    #expect([["a", "b"], [], ["c"]].inLanes == "(a → b) ∥ c")
    #expect([["a", "b"], []].inLanes == "a → b")
    #expect([["a → b"], ["c"]].inLanes == "a → b ∥ c")
  }

  @Test func `a duration is in seconds, or in milliseconds below one`() {
    #expect(Duration.seconds(5).brief == "5 s")
    #expect(Duration.milliseconds(250).brief == "250 ms")
    #expect(Duration.milliseconds(1_500).brief == "1.5 s")
    #expect(Duration.zero.brief == "0 s")
  }

  @Test func `a stable hash is that of FNV-1a, padded to sixteen digits`() {
    #expect("".stableHash == "cbf29ce484222325")
    #expect("foobar".stableHash == "85944171f73967e8")
    #expect((0..<300).allSatisfy { "\($0)".stableHash.count == 16 })
  }
}
