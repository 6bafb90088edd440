// SPDX-License-Identifier: Apache-2.0

extension Exploration {
  /// The number of different schedules by the number of executions: a curve that flattens when few are left.
  public struct Saturation: Sendable, Equatable {
    /// A point of the curve.
    public struct Point: Sendable, Equatable {
      /// The number of executions.
      public let executions: Int

      /// The number of different schedules that they had; beyond 65,536 an estimate.
      public let schedules: Int
    }

    /// The curve after 1, 2, 4, 8, … executions, and after the last.
    public private(set) var curve: [Point] = []

    /// The probability that one more execution has a schedule that none had before, as far as that can be estimated.
    ///
    /// It is the Good–Turing estimate: the share of the executions whose schedule no other execution has. It takes each execution
    /// as drawn by itself, which random strategies do, PCT and SURW nearly, and a portfolio for each of its strategies
    /// apart. It is 0 if every schedule was run, and nil where executions are not drawn, or there are fewer than two.
    public private(set) var estimatedUnseenProbability: Double?

    /// The curve with an estimate of what is left.
    func estimating(_ unseen: Double?) -> Self {
      var copy = self
      copy.estimatedUnseenProbability = unseen
      return copy
    }

    mutating func append(executions: Int, schedules: Int) {
      guard executions > 0, curve.last?.executions != executions else { return }
      curve.append(Point(executions: executions, schedules: schedules))
    }
  }
}

extension Exploration.Saturation {
  /// The curve as a line of blocks, one for each doubling: how many of its executions had a new schedule.
  var sparkline: String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    var line = ""
    var before = Point(executions: 0, schedules: 0)
    for point in curve {
      let executions = point.executions - before.executions
      // An estimate may go back a little.
      let fresh = min(max(0, point.schedules - before.schedules), executions)
      line.append(blocks[fresh * (blocks.count - 1) / max(1, executions)])
      before = point
    }
    return line
  }
}
