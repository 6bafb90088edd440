// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// A number that differs between builds whose executions need not be alike.
enum BuildFingerprint {
  /// The number of this process: its configuration in the lowest bit, a hash of its program file in the others.
  static let current: UInt64 = {
    #if DEBUG
    let configuration: UInt64 = 0
    #else
    let configuration: UInt64 = 1
    #endif
    return napkin_program_hash() << 1 | configuration
  }()
}
