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

    /// The places of the row's jobs.
    private(set) var places: Set<Event.Place> = []

    private var visits: [Visit] = []
    private var recordedAt: String?
    private var details: [Detail] = []

    private struct Detail: Equatable {
      var separator: String
      var text: String
      /// The call that the detail says has begun, as long as no detail follows.
      var call: String?
    }

    init(_ event: Event, at visit: Visit, isDeviation: Bool) {
      steps = event.step..<event.step + 1
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      priority = isDeviation ? .deviation : .job
      visits = [visit]
      places = [visit.place]
    }

    init(_ event: Event, detail: String, _ priority: Priority, isDeviation: Bool = false) {
      steps = event.step..<event.step
      time = event.time
      task = event.task
      self.isDeviation = isDeviation
      self.priority = priority
      details = [Detail(separator: "", text: detail)]
      recordedAt = event.fileAndLine
    }

    package var text: String {
      // Of many places the first and the last are shown.
      let all = visits.map(\.text)
      let shown = all.count > 5 ? all.prefix(2) + ["…"] + all.suffix(2) : all[...]
      return shown.joined(separator: " › ") + details.map { $0.separator + $0.text }.joined()
    }

    /// Whether another job of the task can be added.
    var canProceed: Bool { !visits.isEmpty && details.isEmpty }

    mutating func proceed(to visit: Visit, step: Int) {
      steps = steps.lowerBound..<step + 1
      places.insert(visit.place)
      if let last = visits.last, last.label == visit.label {
        visits[visits.count - 1].count += 1
        visits[visits.count - 1].lines += visit.lines
      } else {
        visits.append(visit)
      }
    }

    /// The file and the line of each job, or of the record: once for several in a row, and the file once.
    var lines: String {
      var all: [String] = []
      for line in visits.flatMap(\.lines) + [recordedAt].compactMap(\.self) where line != all.last { all.append(line) }
      var file: Substring = ""
      let short = all.map { line in
        guard let colon = line.lastIndex(of: ":"), line[..<colon] == file else {
          file = line.lastIndex(of: ":").map { line[..<$0] } ?? ""
          return line
        }
        return String(line[line.index(after: colon)...])
      }
      // Of many lines the first and the last are shown, or the last alone.
      let forms = [short, short.prefix(1) + ["…"] + short.suffix(1), all.suffix(1)].map { $0.joined(separator: ", ") }
      return forms.dropFirst(short.count > 4 ? 1 : 0).first { $0.count <= Self.mostLines } ?? forms[2]
    }

    private static var mostLines: Int { 40 }

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

  /// A place, what is done there, and the lines of the consecutive jobs there.
  struct Visit: Sendable, Equatable {
    let place: Event.Place
    let label: String
    var count = 1
    var lines: [String]

    init(_ place: Event.Place, _ label: String, _ line: String?) {
      self.place = place
      self.label = label
      lines = [line].compactMap(\.self)
    }

    var text: String { count == 1 ? label : "\(label) ×\(count)" }
  }

  /// How important a row is to the reader, from the least to the most.
  package enum Priority: Int, Sendable, Comparable {
    case job, detail, deviation, issue

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
