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

  @Test func `all levels of its folder are made`() {
    let root = NSTemporaryDirectory() + "napkin-levels-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for folder in ["\(root)/a/b/c", "\(root)/a/d//e/"] {
      let database = FailureDatabase(folder: folder)
      database.store(token, for: "one")
      #expect(database.token(for: "one") == token)
    }
  }

  @Test func `a token of any length is read back, with what it says of its end`() {
    let choices = (0..<100_000).map { Choice(value: UInt64($0 % 97), bound: 100) }
    let long = ReplayToken(ChoiceSequence(schedule: choices), fingerprint: 3).text
    #expect(long.utf8.count > 65_536)
    let database = FailureDatabase(folder: folder)
    database.store(long, for: "long", endsProcess: true)
    let entry = database.entry(for: "long")
    #expect(entry?.token == long)
    #expect(entry?.endsProcess == true)
    database.remove("long")
  }

  @Test func `a failure that cannot be kept is a warning that names the folder`() async {
    let exploration = await Explorer(executions: 3)
      .runAsATest("a test", keptIn: FailureDatabase(folder: "/dev/null/none")) { #expect(Bool(false)) }
    #expect(exploration.failure != nil)
    #expect(exploration.warnings.contains { $0.hasPrefix("The failure could not be kept in \"/dev/null/none\"") })
  }

  #if os(Linux) || os(macOS)
  @Test func `a folder of the environment that cannot be written is named`() async {
    await #expect(processExitsWith: .success) {
      setenv("NAPKIN_DATABASE", "/dev/null/a/b", 1)
      let exploration = await Explorer(executions: 3).runAsATest("a test") {}
      #expect(exploration.failure?.messages.first?.hasPrefix("NAPKIN_DATABASE is \"/dev/null/a/b\"") == true)
    }
  }
  #endif
}
