// SPDX-License-Identifier: Apache-2.0
internal import Napkin
internal import Testing

/// Makes a misuse in a running test an issue at the caller's line, where it would stop a debug build (M1).
enum MisuseReporter {
  /// From here on, misuse that nobody else takes is looked at.
  static func install() {
    LifecycleObservation.offerLast { misuse in
      // Outside a test there is nobody to tell, and the trap is as useful as ever.
      guard Test.current != nil || isInTestProcess else { return false }
      let sourceLocation = misuse.callSite.map(SourceLocation.init) ?? Test.current?.sourceLocation
      Issue.record(Comment(rawValue: misuse.description), sourceLocation: sourceLocation ?? #_sourceLocation)
      return true
    }
  }

  /// Whether tests run here although none is known to run: from an `XCTestCase`, or in a task that was detached from one.
  ///
  /// A test whose subject is how a process ends wants the trap, and has the process to itself.
  private static var isInTestProcess: Bool { !XCTestBridge.isInExitTest && XCTestBridge.isInTestProcess }
}

extension SourceLocation {
  fileprivate init(_ callSite: CallSite) {
    self.init(
      fileID: callSite.fileID,
      filePath: callSite.filePath,
      line: callSite.line,
      column: callSite.column
    )
  }
}
