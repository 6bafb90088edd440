// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct GenCollectionsTests {
  @Test func `every count of a short range is equally likely`() {
    var counts: [Int: Double] = [:]
    for array in Gen<[Bool]>.array(of: .bool, count: 2...11).values(seed: 8, count: 4_000) {
      counts[array.count, default: 0] += 1
    }
    // Chi-squared with nine degrees of freedom: above 45 less than once in a million seeds.
    #expect(counts.keys.sorted() == Array(2...11))
    #expect(counts.values.reduce(0) { $0 + ($1 - 400) * ($1 - 400) / 400 } < 45)
  }

  @Test func `a generous range does not mean enormous arrays`() {
    let counts = Gen<[Bool]>.array(of: .bool, count: 0...10_000).values(seed: 8, count: 500).map(\.count)
    // The mean is 32, with a deviation of 1.5 over 500 draws.
    #expect((22...42).contains(counts.reduce(0, +) / 500))
  }

  @Test func `each element has a span with the choice that says that it exists, and counts`() {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    _ = Gen<[Int]>.array(of: .int(in: 0...9), count: 2).draw(from: tape)
    #expect(tape.recorded.spans == [Span(.element, 0..<2), Span(.element, 2..<4)])
  }

  @Test func `what a set draws twice is marked as discarded`() {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    let set = Gen<Set<Bool>>.set(of: .bool, count: 2...2).draw(from: tape)
    #expect(set.count == 2)
    #expect(tape.recorded.spans.count { !$0.isDiscarded } == 2)
    #expect(tape.recorded.spans.count == tape.recorded.data.count - 2)
  }

  @Test func `an exact count is kept`() {
    #expect(Gen<[Int]>.array(of: .int(in: 0...9), count: 7).values(seed: 1, count: 50).allSatisfy { $0.count == 7 })
  }

  @Test func `a set has distinct elements and as many as were asked for`() {
    let sets = Gen<Set<Int>>.set(of: .int(in: 0...20), count: 3...8).values(seed: 1, count: 200)
    #expect(Set(sets.map(\.count)) == [3, 4, 5, 6, 7, 8])
  }

  @Test func `a set that cannot be filled rejects the execution with a reason`() throws {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: 1)))
    #expect(Gen<Set<Bool>>.set(of: .bool, count: 3...3).draw(from: tape).count == 2)
    #expect(tape.problems.isEmpty)
    #expect(
      try #require(tape.rejection).description == """
        Gen.set(of:count:) needs at least 3 different values and found 2: the next 16 were duplicates.
        Likely cause: the generator of the elements has too few different values.
        What to do: ask for fewer elements, or draw them from a wider range.
        """
    )
  }

  @Test func `a dictionary has distinct keys and as many as were asked for`() {
    let generator = Gen<[Int: Bool]>.dictionary(keys: .int(in: 0...20), values: .bool, count: 2...4)
    #expect(Set(generator.values(seed: 1, count: 200).map(\.count)) == [2, 3, 4])
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `sets and dictionaries shrink like arrays`(seed: UInt64) async {
    let set = Gen<Set<Int>>.set(of: .int(in: 0...100), count: 0...10)
    #expect(await minimal(set, seed: seed) { $0.contains { $0 >= 50 } }?.value == [50])
    let dictionary = Gen<[Int: Int]>.dictionary(keys: .int(in: 0...100), values: .int(in: 0...100), count: 0...10)
    #expect(await minimal(dictionary, seed: seed) { $0.contains { $0.key > 3 && $0.value > 5 } }?.value == [4: 6])
  }

  @Test func `a negative count is reported, and none is drawn`() throws {
    let tape = ChoiceTape()
    #expect(Gen<[Bool]>.array(of: .bool, count: -3...0).draw(from: tape) == [])
    #expect(try #require(tape.problems.first).summary == "Gen.array(of:count:) was given the count -3...0.")
    _ = Gen<Set<Bool>>.set(of: .bool, count: -3...0).draw(from: tape)
    #expect(try #require(tape.problems.last).summary == "Gen.set(of:count:) was given the count -3...0.")
  }
}
