// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// Consecutive jobs of one task, and their effects.
  package struct Row: Sendable, Equatable {
    /// The jobs of the row; empty for an event outside any job or with a row of its own.
    package private(set) var steps: Range<Int>
    package let time: Duration
    package let task: Int?

    /// Whether the scheduling decision differs from FIFO order.
    package let isDeviation: Bool
    package private(set) var priority: Priority

    /// Whether the last detail is that the task started others.
    var hasStarted = false

    private var visits: [Visit] = []
    private var details: [Detail] = []

    /// A place, and the number of consecutive jobs there.
    private struct Visit: Equatable {
      var place: String
      var count = 1

      var text: String { count == 1 ? place : "\(place) ×\(count)" }
    }

    private struct Detail: Equatable {
      var separator: String
      var text: String
      /// The call that the detail says has begun, as long as no detail follows.
      var call: String?
    }

    init(_ event: Event, at place: String, isDeviation: Bool) {
      steps = event.step..<event.step + 1
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      priority = isDeviation ? .deviation : .job
      visits = [Visit(place: place)]
    }

    init(_ event: Event, detail: String, _ priority: Priority) {
      steps = event.step..<event.step
      time = event.time
      task = event.task
      isDeviation = false
      self.priority = priority
      details = [Detail(separator: "", text: detail)]
    }

    package var text: String {
      // Of many places the first and the last are shown.
      let all = visits.map(\.text)
      let shown = all.count > 5 ? all.prefix(2) + ["…"] + all.suffix(2) : all[...]
      return shown.joined(separator: " › ") + details.map { $0.separator + $0.text }.joined()
    }

    /// Whether another job of the task can be added.
    var canProceed: Bool { !visits.isEmpty && details.isEmpty }

    mutating func proceed(to place: String, step: Int) {
      steps = steps.lowerBound..<step + 1
      if visits.last?.place == place {
        visits[visits.count - 1].count += 1
      } else {
        visits.append(Visit(place: place))
      }
    }

    /// Marks the last detail as the beginning of a call.
    mutating func open(_ call: String) { details[details.count - 1].call = call }

    /// Replaces the beginning of a call by the call itself, if it is the last detail; returns whether it was.
    mutating func close(_ call: String) -> Bool {
      guard let last = details.last, last.call == call else { return false }
      details[details.count - 1] = Detail(separator: last.separator, text: call)
      return true
    }

    mutating func join(_ separator: String, _ detail: String, _ priority: Priority) {
      details.append(Detail(separator: separator, text: detail))
      self.priority = max(self.priority, priority)
      hasStarted = false
    }
  }

  /// How important a row is to the reader, from the least to the most.
  package enum Priority: Int, Sendable, Comparable {
    case job, detail, deviation, issue

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
