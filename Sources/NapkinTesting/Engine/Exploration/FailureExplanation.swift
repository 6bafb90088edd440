// SPDX-License-Identifier: Apache-2.0

/// Finds out which choices of a failure it depends on, by running it with others in their place.
struct FailureExplanation: Sendable {
  let replay: ReplayRequest.Replay
  let failure: Diagnostic
  /// The shrunk execution, with its log.
  let shrunk: ExecutionOutcome
  /// How long the replays for the deviations may take, for bodies that take long; those for drawn values may take as long
  /// again.
  let time: Duration

  // How much is tried: deviations, other decisions for each, drawn values, and other values for each. Each crash costs a
  // process.
  private var mostDeviations: Int { failure.kind == .crash ? 3 : 8 }
  private static let mostDecisions: UInt64 = 4
  private static let mostDraws = 6
  private static let attempts = 5

  // The time that the replays have taken, without that in which other explorations had the main actor.
  private var taken = Duration.zero

  init(replay: @escaping ReplayRequest.Replay, failure: Diagnostic, shrunk: ExecutionOutcome, time: Duration) {
    self.replay = replay
    self.failure = failure
    self.shrunk = shrunk
    self.time = time
  }

  /// Tries the failure without each single deviation; empty where not all of them could be tried.
  mutating func deviations() async -> [TriedDeviation] {
    guard let sequence = shrunk.sequence, var deviations = found(in: sequence),
      deviations.count <= mostDeviations
    else { return [] }
    for index in deviations.indices {
      guard taken < time else { return [] }
      deviations[index].without = await effect(of: 0, at: deviations[index], in: sequence)
    }
    for index in deviations.indices
    where deviations[index].kind == .order && !failure.isEndless && failure.kind != .crash {
      deviations[index].alternatives = await alternatives(to: deviations[index], in: sequence)
    }
    return deviations
  }

  /// The deviations in the order of the log, which has one event for each; nil if it has not.
  private func found(in sequence: ChoiceSequence) -> [TriedDeviation]? {
    let events = shrunk.log?.events ?? []
    let found = [Choice.Kind.schedule, .cancellation, .preemption].flatMap { lane in
      let deviations = events.compactMap { event in event.deviation.map { (kind: $0, step: event.step) } }
      let positions = sequence[lane].indices.filter { sequence[lane][$0].value != 0 }
      return zip(deviations.filter { $0.kind.lane == lane }, positions).map {
        TriedDeviation(kind: $0.kind, step: $0.step, position: $1)
      }
    }
    return found.count == sequence.deviations && !found.isEmpty ? found : nil
  }

  private mutating func effect(
    of value: UInt64, at deviation: TriedDeviation, in sequence: ChoiceSequence
  ) async -> TriedDeviation.Effect {
    var sequence = sequence
    sequence[deviation.kind.lane][deviation.position].value = value
    return await effect(of: sequence)
  }

  /// How many other decisions there are that all fail as well; 0 if there are none, or not all do.
  private mutating func alternatives(to deviation: TriedDeviation, in sequence: ChoiceSequence) async -> Int {
    let choice = sequence.schedule[deviation.position]
    guard choice.bound > 2, choice.bound <= Self.mostDecisions + 2 else { return 0 }
    for value in 1..<choice.bound where value != choice.value {
      guard taken < time, await effect(of: value, at: deviation, in: sequence) == .fails else {
        return 0
      }
    }
    return Int(choice.bound) - 2
  }

  private mutating func effect(of sequence: ChoiceSequence) async -> TriedDeviation.Effect {
    let outcome = await replay(ReplayRequest(sequence, toSeeWhether: failure))
    taken += outcome.duration
    if outcome.rejection != nil { return .unknown }
    if outcome.diagnostics.isEmpty { return .passes }
    return outcome.diagnostics.contains { $0.isSameFailure(as: failure) } ? .fails : .failsOtherwise
  }

  /// A remark that names the drawn values which any others can replace, none where there are no such values; and the number of
  /// names of which another value passes.
  mutating func drawnValues() async -> (remarks: [String], needed: Int) {
    guard !failure.isEndless, let sequence = shrunk.sequence, !shrunk.drawn.isEmpty else { return ([], 0) }
    let spans = sequence.spans.filter { $0.label == .draw && $0.depth == 0 }.sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
    guard spans.count == shrunk.drawn.count, spans.count <= Self.mostDraws else { return ([], 0) }
    // Values that were drawn by one name are one to a reader: it is named where each of them can be replaced.
    var names: [String] = []
    var (needed, isPassing): (Set<String>, Set<String>) = ([], [])
    for (index, span) in spans.enumerated() {
      let name = shrunk.drawn[index].label ?? shrunk.drawn[index].text
      if !names.contains(name) { names.append(name) }
      if needed.contains(name) { continue }
      switch await effect(ofOthersThan: span, of: sequence, at: index) {
      case .fails: continue
      case .passes: isPassing.insert(name)
      case .failsOtherwise, .unknown: break
      }
      needed.insert(name)
    }
    names.removeAll(where: needed.contains)
    if names.isEmpty { return ([], isPassing.count) }
    let remark = "The failure does not depend on \(names.listed()): \(Self.attempts) other values fail, too."
    return ([remark], isPassing.count)
  }

  /// How it goes with other values: it fails with some of them, or does what it does with the first that does not.
  private mutating func effect(
    ofOthersThan span: Span, of sequence: ChoiceSequence, at index: Int
  ) async -> TriedDeviation.Effect {
    var random = SplitMix64(seed: UInt64(index))
    var tried: Set<[Choice]> = [sequence.data]
    for _ in 0..<Self.attempts * 3 where tried.count <= Self.attempts {
      var candidate = sequence
      for position in span.range where position < candidate.data.count {
        let bound = candidate.data[position].bound
        candidate.data[position].value = bound == Choice.unlimited ? random.next() : random.next(below: bound)
      }
      guard tried.insert(candidate.data).inserted else { continue }
      guard taken < time * 2 else { return .unknown }
      let effect = await effect(of: candidate)
      if effect != .fails { return effect }
    }
    return tried.count > Self.attempts ? .fails : .unknown
  }
}

extension Event {
  /// How FIFO order without cancellations and preemptions has it otherwise; nil where it has not.
  package var deviation: TriedDeviation.Kind? {
    switch kind {
    case .ran(_, let rank, _): rank != 0 ? .order : nil
    case .timePassed: .time
    case .cancelled: .cancellation
    case .preempted(let access): access != .spin ? .preemption : nil
    default: nil
    }
  }
}

extension TriedDeviation.Kind {
  /// The lane of the choices that decide it.
  var lane: Choice.Kind {
    switch self {
    case .order, .time: .schedule
    case .cancellation: .cancellation
    case .preemption: .preemption
    }
  }
}
