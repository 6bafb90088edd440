// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The warnings about split steps that were asked for by half; `.ci/consumer` builds the halves.
struct InstrumentationTests {
  /// A state as the C functions number it, and the part of the program or of its build that is named then.
  private static let halves = [
    (2, "compiled without calls for its accesses"), (3, "set NAPKIN_SPLIT=1"), (4, "build without --sanitize"),
    (5, "no symbol table"), (6, "on Linux only"),
  ]

  @Test(arguments: halves) func `split steps that are asked for by half name what is missing`(
    _ state: Int, _ part: String
  ) throws {
    let warning = try #require(Diagnostic.wholeSteps(state, isAskedFor: true))
    #expect(warning.description.hasPrefix("No step is split, though it was asked for."))
    #expect(warning.description.contains(part))
  }

  @Test(arguments: [
    "/usr/src/app/.build/debug/libApp.so", "/app/lib/libApp.so", "/home/user/swift/lib/libApp.so",
    "/opt/usr/lib/libApp.so", "/srv/lib64/libApp.so",
  ])
  func `a library of the user's is none of the system's, whatever its folders are called`(_ path: String) {
    #expect(!Instrumentation.isOfSystem(path))
  }

  @Test(arguments: ["/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libm.so.6", "/lib64/ld-linux-x86-64.so.2"])
  func `a library in a folder of the system is the system's`(_ path: String) {
    #expect(Instrumentation.isOfSystem(path))
  }

  @Test func `a variable that was not set for the build is named`() throws {
    let warning = try #require(Diagnostic.wholeSteps(1, isAskedFor: true))
    #expect(warning.description.contains("was not when this program was built"))
  }

  @Test func `whole steps that were not asked to be split are no warning`() {
    #expect(Diagnostic.wholeSteps(0, isAskedFor: true) == nil)
    #expect(Diagnostic.wholeSteps(1, isAskedFor: false) == nil)
  }
}
