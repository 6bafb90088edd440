// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"))) struct BuildFingerprintTests {
  private static let constant: StaticString = "a constant of BuildFingerprintTests that stands once in the program"

  @Test func `a constant of one letter more or less is another build`() throws {
    var program = try Data(contentsOf: URL(filePath: "/proc/self/exe"))
    let bytes = Self.constant.withUTF8Buffer { Data($0) }
    let path = NSTemporaryDirectory() + "napkin-program-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try program.write(to: URL(filePath: path))
    let before = BuildFingerprint.hash(ofProgramAt: path)
    #expect(before == BuildFingerprint.hash(ofProgramAt: "/proc/self/exe"))
    #expect(before != 0)
    let place = try #require(program.range(of: bytes)).lowerBound
    program[place] = UInt8(ascii: "A")
    try program.write(to: URL(filePath: path))
    #expect(BuildFingerprint.hash(ofProgramAt: path) != before)
  }

  @Test func `what is no program has no hash`() throws {
    #expect(BuildFingerprint.hash(ofProgramAt: #filePath) == 0)
    #expect(BuildFingerprint.hash(ofProgramAt: "/no/such/program") == 0)
  }
}
