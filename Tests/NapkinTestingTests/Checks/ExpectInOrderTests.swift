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
    #expect(expectInOrder(first.saw(.one), second.saw(.one), first.saw(.two)))
    #expect(expectInOrder(first.saw("anything") { _ in true }, second.saw(.one)))
  }

  @Test func `a later occurrence can be meant`() {
    for event in [Word.one, .two, .one] { first.record(event) }
    #expect(expectInOrder(first.saw(.two), first.saw(.one, occurrence: 2)))
  }

  @Test func `the wrong order is an issue at the line of the call`() async {
    second.record(.one)
    first.record(.one)
    let line = #line + 2
    let records = await issueRecords {
      #expect(!expectInOrder(first.saw(.one), second.saw(.one)))
    }
    #expect(
      records.map(\.text) == [
        """
        Second recorded one before First recorded one, and was expected to do so after it. What was recorded: \
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
    let texts = await issues { #expect(!expectInOrder(first.saw(.one), second.saw(.two))) }
    #expect(
      texts == [
        """
        Second has not recorded two, so it comes in no order. What was recorded: First: one.
        Likely cause: the call was not made, was made on another instance of the double, or has not been made yet.
        What to do: await what leads to the call before the order is checked.
        """
      ]
    )
  }

  @Test func `an event does not come after itself`() async {
    first.record(.one)
    #expect(await issues { expectInOrder(first.saw(.one), first.saw(.one)) }.count == 1)
  }

  @Test func `an occurrence that there cannot be is an issue and not a trap`() async {
    first.record(.one)
    for occurrence in [0, -1, .min, 2] {
      #expect(await issues { expectInOrder(first.saw(.one, occurrence: occurrence)) }.count == 1)
    }
  }
}
