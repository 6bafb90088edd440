// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

/// Runs a body and returns the texts of the issues that it records, which then do not fail the test.
nonisolated(nonsending) func issues(in body: () async throws -> Void) async rethrows -> [String] {
  try await issueRecords(in: body).map(\.text)
}

struct IssueRecord: Sendable {
  var text: String
  var line: Int?
}

nonisolated(nonsending) func issueRecords(in body: () async throws -> Void) async rethrows -> [IssueRecord] {
  let records = Mutex<[IssueRecord]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    records.withLock {
      $0.append(
        IssueRecord(text: issue.comments.map(\.rawValue).joined(separator: "\n"), line: issue.sourceLocation?.line)
      )
    }
    return true
  }
  return records.withLock { $0 }
}
