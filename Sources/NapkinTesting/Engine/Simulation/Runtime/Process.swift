// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The environment variables of this process.
package enum Environment {
  /// The value of a variable; nil where it is not set.
  package static subscript(name: String) -> String? { napkin_environment(name).map { String(cString: $0) } }

  /// The names of all variables.
  static var names: [String] {
    var names: [String] = []
    while let entry = napkin_environment_entry(names.count) {
      names.append(String(String(cString: entry).prefix { $0 != "=" }))
    }
    return names
  }

  /// Whether a debugger has started this process or holds it; known on Linux alone.
  static let isDebugged: Bool = {
    let status = String(decoding: [UInt8](ofFile: "/proc/self/status", most: 4_096), as: UTF8.self)
    return status.contains("TracerPid:") && !status.contains("TracerPid:\t0\n")
  }()
}

/// A number that differs between builds whose executions need not be alike.
package enum BuildFingerprint {
  /// The number of this process: its configuration in the lowest bit, a hash of its code and constants from the third bit on,
  /// and zeros where a token has the number of its test.
  static let current: UInt64 = {
    #if DEBUG
    let configuration: UInt64 = 0
    #else
    let configuration: UInt64 = 1
    #endif
    return (napkin_program_hash(nil) << 2 | configuration) & ofBuild
  }()

  /// A hash of all code and constants of a program; it costs a millisecond for some ten megabytes.
  package static func hash(ofProgramAt path: String) -> UInt64 { napkin_program_hash(path) }

  /// Set in the fingerprint of a token whose ranks count in the order of arrival, as those of a crash do: there is no
  /// time to translate them.
  static let countsArrivals: UInt64 = 2

  // The bits of the build.
  private static let ofBuild: UInt64 = 1 << 48 - 1

  /// The fingerprint of a token of this build, with the number of the exploration in the bits above those of the build.
  static func current(in key: String?) -> UInt64 { current | number(of: key) << 48 }

  /// Whether a token is of this build.
  static func isCurrent(_ fingerprint: UInt64) -> Bool { fingerprint & ofBuild & ~countsArrivals == current }

  /// Whether a token of this build is known to be of another exploration than one: of another test, or with other arguments.
  static func isOfAnother(_ fingerprint: UInt64, than key: String?) -> Bool {
    let numbers = (fingerprint >> 48, number(of: key))
    return isCurrent(fingerprint) && numbers.0 != 0 && numbers.1 != 0 && numbers.0 != numbers.1
  }

  /// A number in sixteen bits, which is zero only where there is no key.
  private static func number(of key: String?) -> UInt64 { key.map { $0.utf8.stableNumber % 0xFFFF + 1 } ?? 0 }
}

/// How long something has taken in real time, also inside an execution, whose own time is simulated.
///
/// It is for reports, for a budget that a user has set and for that of shrinking: no other decision may depend on it.
struct Stopwatch {
  private let start = Self.now

  var elapsed: Duration { Self.now - start }

  /// The real time since some moment before the process began.
  static var now: Duration { .nanoseconds(napkin_real_time()) }
}
