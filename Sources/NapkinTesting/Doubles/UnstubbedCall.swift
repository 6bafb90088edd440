// SPDX-License-Identifier: Apache-2.0

/// What a `Stub` throws when it is called without having been told what to answer; an issue has been recorded then.
public struct UnstubbedCall: Error, Hashable, CustomStringConvertible {
  /// The type of the stub, and what it was called with.
  public let description: String
}
