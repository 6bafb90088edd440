// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite struct FailureDatabaseTests {
  private let folder = NSTemporaryDirectory() + "napkin-failures-of-a-test"
  private let token = ReplayToken(ChoiceSequence(schedule: [Choice(value: 1, bound: 2)]), fingerprint: 3).text

  @Test func `a stored token is found under its key until it is removed`() {
    let database = FailureDatabase(folder: folder)
    database.store(token, for: "one")
    #expect(database.token(for: "one") == token)
    #expect(database.token(for: "another") == nil)
    database.remove("one")
    #expect(database.token(for: "one") == nil)
  }

  @Test(arguments: [1, 2]) func `the cases of a parameterised test have different keys`(number: Int) {
    let key = FailureDatabase.key(#_sourceLocation)
    #expect(key.contains(" \(number) NapkinTestingTests/FailureDatabaseTests.swift:"))
  }

  @Test func `a file that is no token is as good as none`() {
    let database = FailureDatabase(folder: folder)
    database.store("nk1.garbage", for: "broken")
    #expect(database.token(for: "broken") == nil)
    database.remove("broken")
  }
}
