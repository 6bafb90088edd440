// SPDX-License-Identifier: Apache-2.0
internal import Napkin
internal import Testing

/// Makes a misuse in a running test an issue at the caller's line, where it would stop a debug build (M1).
enum MisuseReporter {
  /// From here on, misuse that nobody else takes is looked at.
  static func install() {
    LifecycleObservation.offerLast { misuse in
      // Outside a test there is nobody to tell, and the trap is as useful as ever.
      guard let test = Test.current else { return false }
      Issue.record(
        Comment(rawValue: misuse.description),
        sourceLocation: misuse.callSite.map(SourceLocation.init) ?? test.sourceLocation
      )
      return true
    }
  }
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
