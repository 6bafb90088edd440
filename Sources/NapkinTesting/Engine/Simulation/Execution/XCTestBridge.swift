// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Testing
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The connection of Swift Testing's issues with a running `XCTestCase`, where nothing else makes it.
///
/// The XCTest of Swift 6.3 on Linux does not take the issues that are recorded while a test case runs, and the test case would
/// pass. So this takes the place that Swift Testing has for another testing library: an issue goes to the execution that
/// recorded it, and outside of an exploration to `XCTFail`.
package enum XCTestBridge {
  private typealias Handler = @convention(c) (UnsafePointer<CChar>, UnsafeRawPointer, Int, UnsafeRawPointer?) -> Void
  private typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

  /// The owner of the place that Swift Testing has for another testing library.
  package enum Place: Sendable, Equatable {
    /// An issue outside of Swift Testing's own tests goes to the execution that recorded it, and else to `XCTFail`.
    case ours
    /// The process runs Swift Testing's own tests, of which that library hears itself.
    case notNeeded
    /// An issue in a test case of XCTest does not come to its execution, for this reason.
    case others(String)
  }

  /// The owner in this process, found before `main`: Swift Testing looks once a process whether the place is taken.
  package static let place = owner(
    arguments: CommandLine.arguments, isInXcode: napkin_environment("XCTestSessionIdentifier") != nil)

  package static func install() {
    _ = place
    napkin_take_failures { XCTestBridge.takes($0, $1, $2) }
  }

  /// Takes the place unless another library needs it.
  package static func owner(arguments: [String], isInXcode: Bool) -> Place {
    // The place serves both libraries: a newer Swift Testing takes it to hear of `XCTFail` in its own tests.
    if runsSwiftTesting(arguments) { return .notNeeded }
    if isInXcode { return .others("Xcode's XCTest takes the issues of Swift Testing for itself.") }
    typealias Install = @convention(c) (Handler) -> CBool
    guard let address = dlsym(anyImage, "_swift_testing_installFallbackEventHandler") else {
      return .others("this version of Swift Testing has no place for another testing library.")
    }
    let install = unsafeBitCast(address, to: Install.self)
    let isOurs = install { _, record, count, _ in
      guard let issue = HeardIssue(record: UnsafeRawBufferPointer(start: record, count: count)) else { return }
      XCTestBridge.take(issue)
    }
    return isOurs ? .ours : .others("another testing library takes the issues of Swift Testing.")
  }

  /// Whether a process with these arguments runs tests of Swift Testing alone.
  package static func runsSwiftTesting(_ arguments: [String]) -> Bool {
    zip(arguments, arguments.dropFirst()).contains { $0 == ("--testing-library", "swift-testing") }
  }

  /// Takes a failed assertion of XCTest if it is an execution's, which fails then as it does by an issue.
  private static func takes(_ text: napkin_swift_string, _ file: napkin_swift_string, _ line: Int) -> Bool {
    guard let scope = CurrentExecution.hearing else { return false }
    // The C struct has the layout of a string; the caller of XCTest's function owns both.
    let (text, path) = (unsafeBitCast(text, to: String.self), unsafeBitCast(file, to: String.self))
    let name = path.split(separator: "/").suffix(2).joined(separator: "/")
    let place =
      line < 1
      ? nil
      : SourceLocation(fileID: name.contains("/") ? name : "Tests/\(name)", filePath: path, line: line, column: 1)
    scope.hear(HeardIssue(text: text, sourceLocation: place, isFailure: true))
    return true
  }

  /// Whether this process has XCTest loaded, as a bundle of tests has.
  package static var isInTestProcess: Bool { xctFail != nil }

  // Where no test case runs, XCTest passes a failure on: back to here.
  @TaskLocal private static var isFailing = false

  private static func take(_ issue: HeardIssue) {
    if let scope = CurrentExecution.hearing { return scope.hear(issue) }
    let place = issue.sourceLocation
    guard issue.isFailure else {
      // XCTest has no warnings; an editor knows the form.
      let text = "\(place.map { "\($0.filePath):\($0.line): " } ?? "")warning: \(issue.text)\n"
      return napkin_write_output(text, text.utf8.count)
    }
    guard !isFailing, let xctFail else { return }
    $isFailing.withValue(true) {
      unsafeBitCast(xctFail, to: Fail.self)(issue.text, leakedLiteral(place?.filePath ?? ""), UInt(place?.line ?? 0))
    }
  }

  // Linking XCTest would force it on every package, so the function is looked up by its name.
  private static var xctFail: UnsafeMutableRawPointer? {
    dlsym(anyImage, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
  }

  /// A `StaticString` with text of this moment; it is never freed, as a literal would not be.
  private static func leakedLiteral(_ text: String) -> StaticString {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: Array(text.utf8) + [0])
    let layout = (UInt(bitPattern: bytes.baseAddress), UInt(text.utf8.count), UInt8(0))
    return unsafeBitCast(layout, to: StaticString.self)
  }

  // The C library's RTLD_DEFAULT, which is a macro with a cast.
  private static var anyImage: UnsafeMutableRawPointer? {
    #if canImport(Darwin)
    UnsafeMutableRawPointer(bitPattern: -2)
    #else
    nil
    #endif
  }

  /// Whether this process runs one exit test, and nothing else.
  package static var isInExitTest: Bool {
    // Where Swift Testing starts no process of its own, there are no such tests.
    #if os(macOS) || os(Linux) || os(FreeBSD) || os(OpenBSD) || os(Windows)
    ExitTest.current != nil
    #else
    false
    #endif
  }
}
