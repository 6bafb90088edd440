// SPDX-License-Identifier: Apache-2.0

/// A race that a public project had and repaired, written anew: the structure of its code before and after the repair, and
/// a test as its reporter would write it.
struct Case: Sendable {
  /// The place of the race between two tasks.
  enum Kind: String, Sendable {
    /// Between two suspensions.
    case plain
    /// In a step, where a task stops at a call into the runtime, or is cancelled there.
    case inside
    /// Between two accesses to memory, or two locks.
    case split
  }

  /// The subject of the bug, as far as there are ten of it.
  enum Subject: String, Sendable { case cancellation, lifecycle, lock, other }

  enum Version: String, Sendable {
    case before, after

    /// The version that this process runs, as its arguments say.
    static let current = CommandLine.arguments.contains("after") ? Version.after : .before
  }

  let name: String
  /// The repository, its pull request and the commits, as far as they are known.
  let place: String
  let kind: Kind
  let subject: Subject
  /// Words of the functions in which the bug is, given before the first run: a first sentence that has them names it.
  let decides: [String]
  /// The test: the engine is given this function itself, as it is given that of a `@Test`.
  let body: @Sendable () async throws -> Void

  init(
    _ name: String, of place: String, _ kind: Kind, _ subject: Subject = .other, decides: String...,
    body: @escaping @Sendable () async throws -> Void
  ) {
    self.name = name
    self.place = place
    self.kind = kind
    self.subject = subject
    self.decides = decides
    self.body = body
  }
}

/// An expectation of a test that was not met.
struct Unmet: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ sentence: String) throws {
  if !condition { throw Unmet(description: sentence) }
}
