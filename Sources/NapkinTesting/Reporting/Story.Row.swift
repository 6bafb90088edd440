// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// One or more jobs of a task with no other in between, and what they did.
  package struct Row: Sendable, Equatable {
    /// The jobs that the row tells of; empty for what is told apart from its job, or happened outside any.
    package private(set) var steps: Range<Int>
    package let time: Duration
    package let task: Int?

    /// Whether a plain run would have gone on with another task here.
    package let isDeviation: Bool
    package private(set) var weight: Weight

    /// Whether the last thing that it tells is that the task started others.
    var hasStarted = false

    private var turns: [Turn] = []
    private var details = ""

    /// A place, and how often it was entered in a row.
    private struct Turn: Equatable {
      var place: String
      var count = 1

      var text: String { count == 1 ? place : "\(place) ×\(count)" }
    }

    init(_ event: Event, turn place: String, isDeviation: Bool) {
      steps = event.step..<event.step + 1
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      weight = isDeviation ? .turningPoint : .turn
      turns = [Turn(place: place)]
    }

    init(_ event: Event, detail: String, _ weight: Weight) {
      steps = event.step..<event.step
      time = event.time
      task = event.task
      isDeviation = false
      self.weight = weight
      details = detail
    }

    package var text: String {
      // A long walk is told by where it begins and where it ends.
      let walk = turns.count > 5 ? turns.prefix(2).map(\.text) + ["…"] + turns.suffix(2).map(\.text) : turns.map(\.text)
      return walk.joined(separator: " › ") + details
    }

    /// Whether it is all about where the task went, so that one more place can follow.
    var canGoOn: Bool { !turns.isEmpty && details.isEmpty }

    mutating func goOn(at place: String, step: Int) {
      steps = steps.lowerBound..<step + 1
      if turns.last?.place == place {
        turns[turns.count - 1].count += 1
      } else {
        turns.append(Turn(place: place))
      }
    }

    /// Tells by one name what began and returned with nothing in between; says whether it was so.
    mutating func close(_ detail: String) -> Bool {
      guard detail.hasSuffix(" returns") else { return false }
      let name = detail.dropLast(" returns".count)
      guard details.hasSuffix(name + " begins") else { return false }
      details.removeLast(" begins".count)
      return true
    }

    mutating func join(_ detail: String, _ weight: Weight) {
      details += detail
      self.weight = max(self.weight, weight)
      hasStarted = false
    }
  }

  /// How much of the story is lost with a row, from little to all of it.
  package enum Weight: Int, Sendable, Comparable {
    case turn, detail, turningPoint, issue

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
