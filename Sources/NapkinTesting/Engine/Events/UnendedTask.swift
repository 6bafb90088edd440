// SPDX-License-Identifier: Apache-2.0

/// A task of an execution that does not end by itself, and that no other task waits for.
package struct UnendedTask: Sendable {
  /// The name in a report.
  package let title: String

  /// The outermost function of the code under test that it is in, which is the closure that it was created with.
  package let function: SourcePlace

  /// The line that created it; nil where the timeline is not kept.
  package let start: SourcePlace?

  /// The place at which it resumes, if it ever does.
  package let resumption: SourcePlace?

  /// Whether it sleeps again and again.
  package let polls: Bool
}
