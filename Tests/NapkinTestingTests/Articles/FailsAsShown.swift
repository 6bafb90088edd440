// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// For an example that fails on purpose: it has to fail, and its page has to show the failure.
///
/// Where the failure was found, and the token, differ from build to build; the text above them is compared word for word, where
/// the kit finds the functions that a page shows. Pages show whole steps: where steps are split, a failure that needs a
/// preemption is another one.
struct FailsAsShown: TestTrait, SuiteTrait, TestScoping {
  let pages: [String]

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    Self.forget(test)
    let recorded = Mutex<[String]>([])
    try await withKnownIssue(isIntermittent: PlatformWays.isOptimised) {
      try await function()
    } matching: { issue in
      // The exploration judges the issues of its executions; the report at its end is the example's failure.
      let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      guard text.contains("\nReplay: ") else { return false }
      recorded.withLock { $0.append(text) }
      return true
    }
    for page in pages where !PlatformWays.isOptimised && PlatformWays.findFunctions {
      let outputs = try Page(page).blocks("").map(Self.comparable)
      let reports = recorded.withLock { $0 }
        .filter { !Instrumentation.splitsSteps || !$0.contains("is preempted before") }
      for text in reports.map(Self.comparable) {
        let isShown = outputs.contains { $0.contains(text) }
        #expect(isShown, "\(page) does not show what is printed today:\n\(text)")
      }
    }
  }

  /// The lines of a report above the one that says where it was found, without the prefix of a console.
  ///
  /// A page has its snippet in a file of its own, so the file and the line at the end are not compared.
  private static func comparable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " || $0 == "↳" }.replacing(#/ +\w+\.swift:[0-9, …]+$/#, with: "") }
      .map { $0.replacing(#/\((\w+\.swift)?:[0-9]+, step/#, with: "(step") }
      .prefix { !$0.hasPrefix("Found in execution") }
      .filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Lets the test begin anew: an earlier build may have left another failure than the page's in the database.
  private static func forget(_ test: Test) {
    let folder = ProcessInfo.processInfo.environment["NAPKIN_DATABASE"] ?? ".build/napkin-failures"
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = "\(folder)/\(file)"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("\n\(test.id) ") else {
        continue
      }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension Trait where Self == FailsAsShown {
  /// The example fails as these pages show.
  static func fails(asShownIn pages: String...) -> Self { Self(pages: pages) }
}
