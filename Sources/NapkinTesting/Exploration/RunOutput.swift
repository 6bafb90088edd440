// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// What the code under test prints while it is explored.
enum RunOutput {
  /// Whether it is held back, but for that of the reported execution; `NAPKIN_OUTPUT=all` shows everything.
  static let isHeldBack = napkin_environment("NAPKIN_OUTPUT").map { String(cString: $0) } != "all"
}
