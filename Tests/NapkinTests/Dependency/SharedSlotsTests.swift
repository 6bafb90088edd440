// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

@Suite final class SharedSlotsTests {
  final class Owner {}

  private let slots = SharedSlots()
  private let owner = Owner()

  @Test func `names whose hashes collide keep apart`() {
    for pass in 0..<2 {
      for n in 0..<100 {
        #expect(slots.value(named: "\(n)", of: owner, hash: 5) { n + 1_000 * pass } == n)
      }
    }
  }

  @Test func `types whose hashes collide keep apart`() {
    #expect(slots.value(named: "x", of: owner, hash: 5) { 1 } == 1)
    #expect(slots.value(named: "x", of: owner, hash: 5) { "one" } == "one")
    #expect(slots.value(named: "x", of: owner, hash: 5) { 2 } == 1)
  }

  @Test func `hashes that share all low bits are found at the end of their path`() {
    let hashes = (0..<32).map { UInt(1) << (2 * $0) }
    for pass in 0..<2 {
      for hash in hashes {
        #expect(slots.value(named: "x\(hash)", of: owner, hash: hash) { hash + UInt(pass) } == hash)
      }
    }
  }
}
