// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct ExpectInOrderTests {
  private enum Word: Equatable { case one, two }
  private let first = Recorder<Word>("First")
  private let second = Recorder<Word>("Second")

  @Test func `events that come one after the other pass, whichever doubles recorded them`() {
    first.record(.one)
    second.record(.one)
    first.record(.two)
    #expect(expectInOrder(first.occurrence(of: .one), second.occurrence(of: .one), first.occurrence(of: .two)))
    #expect(expectInOrder(first.occurrence("anything") { _ in true }, second.occurrence(of: .one)))
  }

  @Test func `a later occurrence can be meant`() {
    for event in [Word.one, .two, .one] { first.record(event) }
    #expect(expectInOrder(first.occurrence(of: .two), first.occurrence(of: .one, number: 2)))
  }

  @Test func `the wrong order is an issue at the line of the call`() async {
    second.record(.one)
    first.record(.one)
    let line = #line + 2
    let records = await issueRecords {
      #expect(!expectInOrder(first.occurrence(of: .one), second.occurrence(of: .one)))
    }
    #expect(
      records.map(\.text) == [
        """
        Second recorded one before First recorded one, and was expected to do so after it. Recorded events: \
        Second: one, First: one.
        Likely cause: the calls are made in another order, or by tasks that do not wait for each other.
        What to do: await the earlier call before the later one is made.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
  }

  @Test func `an event that was not recorded is an issue`() async {
    first.record(.one)
    let texts = await issues { #expect(!expectInOrder(first.occurrence(of: .one), second.occurrence(of: .two))) }
    #expect(
      texts == [
        """
        Second has not recorded two. Recorded events: First: one.
        Likely cause: the call was not made yet, or was made on another instance of the double.
        What to do: await what leads to the call before the order is checked.
        """
      ]
    )
  }

  @Test func `an event does not come after itself`() async {
    first.record(.one)
    #expect(await issues { expectInOrder(first.occurrence(of: .one), first.occurrence(of: .one)) }.count == 1)
  }

  @Test func `an occurrence that there cannot be is an issue and not a trap`() async {
    first.record(.one)
    for occurrence in [0, -1, .min, 2] {
      #expect(await issues { expectInOrder(first.occurrence(of: .one, number: occurrence)) }.count == 1)
    }
  }
}
