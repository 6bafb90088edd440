// SPDX-License-Identifier: Apache-2.0
package import Testing
#if os(Linux)
internal import Glibc
#endif

extension Diagnostic {
  /// Records the diagnostic as one issue of the running test, at the line of the caller.
  package func record(at sourceLocation: SourceLocation) {
    Issue.recordEverywhere(description, at: sourceLocation)
  }
}

extension Issue {
  /// Records an issue with the library that runs the test: Swift Testing or XCTest.
  ///
  /// On Apple platforms XCTest receives the issues of Swift Testing. On Linux the XCTest of Swift 6.3 does not, and the
  /// test case would pass, so there the issue is passed to `XCTFail` as well.
  package static func recordEverywhere(_ text: String, at sourceLocation: SourceLocation) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    #if os(Linux)
    guard Test.current == nil, CurrentExecution.scope == nil else { return }
    XCTestBridge.fail?(text, XCTestBridge.leakedLiteral(sourceLocation.fileID), UInt(sourceLocation.line))
    #endif
  }

  /// Whether this process runs tests, so that an issue that belongs to no known test fails the run or its test case.
  ///
  /// The sign is XCTest, which is loaded with every bundle of tests on Linux.
  package static var isHeardOutsideTests: Bool {
    #if os(Linux)
    XCTestBridge.isLoaded
    #else
    false
    #endif
  }
}

#if os(Linux)
/// Calls `XCTFail` in a process that has XCTest loaded; without a running test case the call has no effect.
///
/// Linking XCTest would force it on every user, so the function is looked up by its name, once. Where it is missing, or
/// where XCTest receives the issues by itself, nothing is called.
private enum XCTestBridge {
  typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

  static let fail: Fail? = {
    guard !hasFallbackHandler, let address = xctFail else { return nil }
    return unsafeBitCast(address, to: Fail.self)
  }()

  static var isLoaded: Bool { xctFail != nil }

  private static var xctFail: UnsafeMutableRawPointer? {
    dlsym(nil, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
  }

  /// Whether a handler is installed for the issues that Swift Testing records outside its own tests.
  private static var hasFallbackHandler: Bool {
    typealias Handler = @convention(c) () -> UnsafeRawPointer?
    guard let address = dlsym(nil, "_swift_testing_getFallbackEventHandler") else { return false }
    return unsafeBitCast(address, to: Handler.self)() != nil
  }

  /// A `StaticString` with a text made at run time; like a literal it is never freed.
  static func leakedLiteral(_ text: String) -> StaticString {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: Array(text.utf8) + [0])
    let layout = (UInt(bitPattern: bytes.baseAddress), UInt(text.utf8.count), UInt8(0))
    return unsafeBitCast(layout, to: StaticString.self)
  }
}
#endif
