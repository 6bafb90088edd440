// SPDX-License-Identifier: Apache-2.0

/// The command line over some pairs: `check` them against their goals, `list` them, or `repeat` one side of one.
package enum Tool {
  package static func run(_ pairs: [Pair]) async {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "list": for pair in pairs { print(pair.name) }
    case "check": await check(pairs, seconds: arguments.dropFirst().first.flatMap(Int.init) ?? 1)
    case "repeat" where arguments.count == 4:
      let rest = Array(arguments.dropFirst())
      guard let pair = pairs.first(where: { $0.name == rest[0] }), let times = Int(rest[2]) else { return usage() }
      print(await pair.repeatSide(ofSubject: rest[1] == "subject", times: times))
    default: usage()
    }
  }

  private static func usage() {
    print("usage: list | check [seconds a pair] | repeat NAME subject|yardstick TIMES")
  }

  /// Prints a line a pair, in columns parted by tabs: verdict, name, median of the ratios, goal, nanoseconds, samples.
  private static func check(_ pairs: [Pair], seconds: Int) async {
    for pair in pairs where pair.goal != nil || pair.nanosecondsGoal != nil {
      let samples = await pair.samples(for: .seconds(seconds))
      let each = samples.percentile(50) { $0.subject.each }
      let isMet = (pair.goal.map { samples.ratio <= $0 } ?? true) && (pair.nanosecondsGoal.map { each <= $0 } ?? true)
      print(
        isMet ? "met" : "missed", pair.name, samples.ratio.rounded(toPlaces: 2), pair.goal.map { "\($0)" } ?? "-",
        each.rounded(toPlaces: 0), samples.count, separator: "\t"
      )
    }
  }
}

extension Double {
  /// The number as it is written in a table.
  package func rounded(toPlaces places: Int) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let value = (self * factor).rounded() / factor
    return places == 0 ? "\(Int(value))" : "\(value)"
  }
}
