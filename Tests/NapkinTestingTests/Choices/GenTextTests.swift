// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenTextTests {
  @Test func `characters are mostly plain, and sometimes anything`() {
    let characters = Gen.character.values(seed: 6, count: 4_000)
    // 1 in 8 is not plain: 500 expected with a deviation of 21.
    #expect((350...650).contains(characters.count { !$0.isASCII || $0.isNewline || $0 == "\t" || $0 == "\0" }))
    #expect(characters.contains("👨‍👩‍👧"))
    #expect(characters.contains("\r\n"))
    #expect(characters.contains { $0.unicodeScalars.contains { $0.value > 0x1_0000 && $0.value < 0x1_F000 } })
    #expect(Gen.character.simplest() == "a")
  }

  @Test func `a string has as many characters as were asked for`() {
    let strings = Gen<String>.string(of: .element(of: "xyz"), count: 2...5).values(seed: 7, count: 200)
    #expect(Set(strings.map(\.count)) == [2, 3, 4, 5])
    #expect(strings.allSatisfy { $0.allSatisfy("xyz".contains) })
    #expect(Gen<String>.string(count: 3).simplest() == "aaa")
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a string shrinks to what matters in it`(seed: UInt64) async {
    let found = await minimal(.string(of: .element(of: "abcdef?"), count: 0...20), seed: seed) { $0.contains("?") }
    #expect(found?.value == "?")
  }

  @Test func `a negative count is reported at the line of the call`() throws {
    let tape = ChoiceTape()
    #expect(Gen<String>.string(count: -1).draw(from: tape) == "")
    let problem = try #require(tape.problems.first)
    #expect(problem.sourceLocation?.line == #_sourceLocation.line - 2)
    #expect(
      problem.description == """
        Gen.string(of:count:) was given the count -1...-1.
        Likely cause: a computed difference is negative.
        What to do: pass a count of zero or more.
        """
    )
  }
}
