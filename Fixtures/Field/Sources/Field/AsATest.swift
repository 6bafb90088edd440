// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

/// The case that the environment names, as a test of Swift Testing: there an execution that ends the process is a failure with
/// a report, as its reporter would read it.
@Test func asATest() async throws {
  let name = try #require(ProcessInfo.processInfo.environment["FIELD_CASE"])
  await Explorer(executions: 2_000, seed: 0, isolated: true).check(found(name).body)
}
