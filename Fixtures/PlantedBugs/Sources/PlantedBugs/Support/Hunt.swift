// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

/// How fast the fuzzer finds one canary's bug, over several seeds.
public struct Hunt: Sendable {
  /// With how many seeds it was tried: 0, 1, 2 and so on.
  public static let seeds = 20

  /// How many executions each seed has.
  public static let executions = 500

  /// With how many of the seeds it has to be found.
  public static let enough = 19

  /// The executions that failed first, of the seeds with which the bug itself was found, in rising order.
  public private(set) var found: [Int] = []

  /// What was said where a failure was about something else.
  public private(set) var others: [[String]] = []

  /// Looks for the bug with every seed.
  public init(for canary: Canary) async {
    for seed in 0..<Self.seeds {
      guard let failure = await canary.buggy(Self.executions, UInt64(seed)).failure else { continue }
      if canary.explains(failure) { found.append(failure.execution) } else { others.append(failure.messages) }
    }
    found.sort()
  }

  /// How many executions it took on average, where it was found.
  public var mean: Double { Double(found.reduce(0, +)) / Double(max(found.count, 1)) }

  /// How many it took at most in half of the seeds with which it was found.
  public var median: Int { found.isEmpty ? 0 : found[(found.count - 1) / 2] }
}
