// SPDX-License-Identifier: Apache-2.0

package import Testing

extension Diagnostic {
  /// Records the diagnostic as one issue of the running test, at the line of the caller.
  package func record(at sourceLocation: SourceLocation) {
    Self.$recorded.withValue(self) {
      _ = Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
    }
  }

  /// The diagnostic that is recorded by the calling code; an exploration receives the issue while it is set.
  @TaskLocal package static var recorded: Diagnostic?
}
