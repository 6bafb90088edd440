// SPDX-License-Identifier: Apache-2.0

/// The executor that the current task prefers, so that a task which it starts can prefer the same one (L9).
///
/// Unstructured tasks do not inherit it by themselves. Nil where there is none, and before Apple's 26.4, which is the
/// first release that tells.
var preferredExecutor: (any TaskExecutor)? {
  guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
  return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
}
