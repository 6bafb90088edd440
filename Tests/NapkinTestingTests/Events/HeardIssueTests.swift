// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct HeardIssueTests {
  private func heard(_ issue: String) -> HeardIssue? {
    HeardIssue(
      record: #"{"payload": {"kind": "issueRecorded", "issue": \#(issue), "messages": [{"text": "No."}]}}"#.utf8)
  }

  @Test func `a record says whether an issue is a failure`() {
    #expect(heard(#"{"isKnown": false, "isFailure": true}"#)?.isFailure == true)
    #expect(heard(#"{"isKnown": false, "isFailure": false}"#)?.isFailure == false)
    #expect(heard(#"{"isKnown": true, "isFailure": true}"#) == nil)
  }

  @Test func `a record that does not say whether its issue is a failure is one`() {
    #expect(heard(#"{"isKnown": false}"#)?.isFailure == true)
  }
}
