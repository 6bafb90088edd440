// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ReplayTokenProblemTests {
  static let whole = ReplayToken(
    ChoiceSequence(data: [Choice(value: 5, bound: 10)]),
    fingerprint: 42
  ).text

  static let advice =
    "What to do: copy the token again, whole, from the failure report; it begins with \"nk1.\" and has no spaces."

  @Test(arguments: [
    ("", "The replay token is empty.", "an environment variable or an argument that was never set."),
    (" \n", "The replay token is empty.", "an environment variable or an argument that was never set."),
    (
      "nk1.AA nk1.BB", "The replay token \"nk1.AA nk1.BB\" has white space in it.",
      "a line break or a second word was copied with it."
    ),
    ("42", "\"42\" is not a replay token.", "another text was pasted, such as a seed or a test's name."),
    (
      "nk7.AAAA", "The replay token has the version \"nk7\", which this build cannot read.",
      "it was recorded with another release of NapkinTesting."
    ),
    (
      "nk1.AA=A", "The replay token has \"=\" as its character 7, which no token contains.",
      "an editor, a chat or a shell changed it on the way."
    ),
    ("nk1.", "The replay token ends too early.", "the end was cut off when it was copied."),
    (
      "\(whole.dropLast(4))", "The replay token ends too early.", "the end was cut off when it was copied."
    ),
    (
      "\(whole)AAAA", "The replay token goes on after its end (bytes too many: 3).",
      "two tokens, or a token and a word, were joined."
    ),
    (
      "\(whole.prefix(6))B\(whole.dropFirst(7))", "The replay token's checksum does not match.",
      "it was mistyped, or changed on the way."
    ),
  ])
  func `a malformed token says what is wrong with it`(text: String, happened: String, cause: String) {
    let problem = #expect(throws: Diagnostic.self) { try ReplayToken(text) }
    #expect(problem?.description == "\(happened)\nLikely cause: \(cause)\n\(Self.advice)")
  }

  @Test(arguments: [
    // The content of each was put together by hand, and its checksum is right.
    (
      "nk1.FgAAAAAAAAAAgICAgIAggYCAgIBAAAAcQS4V",
      "The replay token claims 1099511627776 choices of one kind; at most 16777216 can be replayed."
    ),
    // A run of nine zeros in a lane of two choices.
    ("nk1.DAAAAAAAAAAAAhMAANLI5q8", "The replay token contradicts itself."),
    // Three bytes where the fingerprint needs eight.
    ("nk1.AwAAALf3sEo", "The replay token contradicts itself."),
  ])
  func `a token that only a program could have written is refused`(text: String, happened: String) {
    let problem = #expect(throws: Diagnostic.self) { try ReplayToken(text) }
    #expect(problem?.description == "\(happened)\nLikely cause: it was not written by NapkinTesting.\n\(Self.advice)")
  }
}
