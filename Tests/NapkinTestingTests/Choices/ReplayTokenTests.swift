// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ReplayTokenTests {
  /// A sequence as an execution may leave it: mostly zeros, now and then a word with all its bits.
  static func sequence(seed: UInt64) -> ChoiceSequence {
    var random = SplitMix64(seed: seed)
    var sequence = ChoiceSequence()
    for kind in Choice.Kind.allCases {
      for _ in 0..<random.next(below: 60) {
        let width = random.chance(1, in: 3) ? random.next(below: 65) : 0
        let value = width == 0 ? 0 : random.next() >> (64 - width)
        sequence[kind].append(Choice(value: value, bound: Choice.unlimited))
      }
    }
    return sequence
  }

  @Test func `a token read back is the one that was written`() throws {
    for seed in 0..<400 as Range<UInt64> {
      let token = ReplayToken(Self.sequence(seed: seed), fingerprint: SplitMix64(seed: seed, index: 1).hashed)
      let again = try ReplayToken(token.text)
      try #require(again == token, "seed \(seed)")
      try #require(again.count == token.count, "seed \(seed)")
      try #require(again.text == token.text, "seed \(seed)")
    }
  }

  @Test func `a token has letters, digits, and three signs that shells and URLs leave alone`() {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    for seed in 0..<300 as Range<UInt64> {
      let text = ReplayToken(Self.sequence(seed: seed), fingerprint: .max).text
      #expect(allowed.isSuperset(of: text))
      #expect(text.hasPrefix("nk1."))
    }
  }

  @Test func `a shrunk failure among ten thousand zeros fits on half a line`() {
    var schedule = [Choice](repeating: Choice(value: 0, bound: 3), count: 10_000)
    schedule[17].value = 2
    schedule[4_021].value = 1
    let data = [Choice(value: 1, bound: 2), Choice(value: 500, bound: 1_001)]
    let token = ReplayToken(ChoiceSequence(data: data, schedule: schedule), fingerprint: .max)
    #expect(token.text.count == 40)
  }

  @Test func `every character of a token matters`() {
    // Twelve seeds, so that there are tokens of each length modulo four: the last character may carry unused bits.
    for seed in 0..<12 as Range<UInt64> {
      let text = ReplayToken(Self.sequence(seed: seed), fingerprint: 0x0123_4567_89AB_CDEF).text
      for index in text.indices.suffix(24) {
        for other in "ADhi_" where text[index] != other {
          var broken = text
          broken.replaceSubrange(index...index, with: String(other))
          #expect(throws: Diagnostic.self, "\(broken)") { try ReplayToken(broken) }
        }
      }
    }
  }

  @Test func `a token cut off anywhere says so`() {
    let text = ReplayToken(Self.sequence(seed: 9), fingerprint: 77).text
    for length in 4..<text.count {
      let problem = #expect(throws: Diagnostic.self) { try ReplayToken(String(text.prefix(length))) }
      #expect(problem?.summary == "The replay token ends too early.")
    }
  }

  @Test func `no text at all makes decoding stop`() {
    var random = SplitMix64(seed: 11)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.nk1 é\u{0}=")
    for _ in 0..<1_000 {
      let length = random.next(below: 40)
      let junk = String((0..<length).map { _ in alphabet[Int(random.next(below: UInt64(alphabet.count)))] })
      #expect(throws: Diagnostic.self) { try ReplayToken(junk) }
      #expect(throws: Diagnostic.self) { try ReplayToken("nk1." + junk) }
    }
  }

  @Test func `white space around a token is not part of it`() throws {
    let token = ReplayToken(Self.sequence(seed: 4), fingerprint: 1)
    #expect(try ReplayToken(" \(token.text)\n") == token)
  }
}

extension SplitMix64 {
  fileprivate var hashed: UInt64 {
    var copy = self
    return copy.next()
  }
}
