// SPDX-License-Identifier: Apache-2.0
package import Testing
#if os(Linux)
internal import Glibc
#endif

extension Issue {
  /// Records an issue with whichever library runs the test: Swift Testing, or XCTest.
  ///
  /// On Apple's platforms XCTest listens to Swift Testing's issues, and on Linux the XCTest of Swift 6.3 does not: the
  /// test case would pass. There the issue is handed to `XCTFail`, too.
  package static func recordEverywhere(_ text: String, at sourceLocation: SourceLocation) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    #if os(Linux)
    guard Test.current == nil, CurrentExecution.scope == nil else { return }
    XCTestBridge.fail?(text, XCTestBridge.leakedLiteral(sourceLocation.fileID), UInt(sourceLocation.line))
    #endif
  }

  /// Whether this process runs tests, so that what is recorded where no test is known fails the run, or its test case.
  ///
  /// A process is known to run tests by XCTest, which every bundle of tests on Linux brings along.
  package static var isHeardOutsideTests: Bool {
    #if os(Linux)
    XCTestBridge.isLoaded
    #else
    false
    #endif
  }
}

#if os(Linux)
/// The way to `XCTFail` in a process that has XCTest loaded; without a running test case it does nothing.
///
/// Linking XCTest would force it on everybody, so the function is looked up by its name, once. Where it is missing, or
/// where XCTest listens by itself, nothing is called.
private enum XCTestBridge {
  typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

  static let fail: Fail? = {
    guard !listensByItself, let address = xctFail else { return nil }
    return unsafeBitCast(address, to: Fail.self)
  }()

  static var isLoaded: Bool { xctFail != nil }

  private static var xctFail: UnsafeMutableRawPointer? {
    dlsym(nil, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
  }

  /// Whether somebody is installed who takes what Swift Testing records outside its own tests.
  private static var listensByItself: Bool {
    typealias Handler = @convention(c) () -> UnsafeRawPointer?
    guard let address = dlsym(nil, "_swift_testing_getFallbackEventHandler") else { return false }
    return unsafeBitCast(address, to: Handler.self)() != nil
  }

  /// A `StaticString` with text of this moment; it is never freed, as a literal would not be.
  static func leakedLiteral(_ text: String) -> StaticString {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: Array(text.utf8) + [0])
    let layout = (UInt(bitPattern: bytes.baseAddress), UInt(text.utf8.count), UInt8(0))
    return unsafeBitCast(layout, to: StaticString.self)
  }
}
#endif
