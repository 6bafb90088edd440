// SPDX-License-Identifier: Apache-2.0

import Corpus
import Dispatch
import Foundation
import Meeting

// oracle list               the programs, a line each: the name, and whether it is a race
// oracle losses             the numbers that two tasks count up on real threads, a line each: the name, and how many increments were lost
// oracle run NAME [times]   a program on real threads, whose two accesses meet; the thread sanitizer ends the process at a report
@main
struct Oracle {
  /// How many increments were lost in the first round that lost one; rounds may go by in which the threads do not overlap.
  static func lost(_ loss: Loss) async -> Int {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(2) {
      expect_meeting(2)
      let lost = await loss.lost(of: 100_000)
      if lost != 0 { return lost }
    }
    return 0
  }

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "list": for program in Program.all { print("\(program)\t\(program.isRace ? "race" : "sound")") }
    case "losses":
      Task {
        for loss in Loss.all { print("\(loss)\t\(await lost(loss))") }
        exit(0)
      }
      RunLoop.main.run()
    case "run":
      let name = arguments.dropFirst().first ?? ""
      guard let program = Program.all.first(where: { $0.description == name }) else { exit(2) }
      let times = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10
      Task {
        for _ in 0..<times {
          expect_meeting(2)
          await program.body()
        }
        exit(0)
      }
      RunLoop.main.run()
    default:
      print("usage: oracle list|losses|run NAME [times]")
      exit(2)
    }
  }
}
