// SPDX-License-Identifier: Apache-2.0

/// Looks for the two steps whose order decides about a failure, by running it with others the other way round.
struct DecisivePairSearch {
  private let replay: ReplayRequest.Replay
  private let failure: Diagnostic
  private let sequence: ChoiceSequence
  private let log: EventLog
  private let order: StepOrder
  private let most: Int
  private var executions = 0
  private var duration = Duration.zero

  /// Whether the same order has passed and failed: then no order decides.
  private(set) var isContradicted = false

  private static let time = Duration.seconds(2)

  // Of the pairs that seem to decide, those of which the order is looked at, at most.
  private static let mostChecked = 4

  // How often more the order that passes has to pass: it may have done so by chance, where not only the order decides.
  private static let confirmations = 5

  /// Nil where no order can be changed: the log is incomplete, or each execution would take its timeout.
  init?(of failure: Diagnostic, in shrunk: ExecutionOutcome, replay: @escaping ReplayRequest.Replay) {
    guard failure.kind != .hang, !failure.namesTasks,
      let sequence = shrunk.sequence, let log = shrunk.log, let order = StepOrder(log)
    else { return nil }
    (self.replay, self.failure, self.sequence) = (replay, failure, sequence)
    (self.log, self.order) = (log, order)
    most = failure.isEndless || failure.kind == .crash ? 6 : DecisivePair.mostExecutions
  }

  /// The pair, or the cancellation and what it meets, with the failure's relation to each of its deviations and, where that
  /// passes, the execution without its cancellation; nil where nothing near the failure passes.
  mutating func pair(_ deviations: [TriedDeviation], uncancelled: ReplayRequest?) async -> DecisivePair? {
    if let uncancelled, let pair = await cancellation(uncancelled) { return pair }
    // A preemption is not reversed by another order of whole steps, but by leaving its step whole.
    let preemptions = deviations.filter { $0.kind == .preemption && $0.without == .passes }
    if let last = preemptions.last {
      if let pair = await inside(last) { return pair }
      return await nearest(preemptions)
    }
    // Only where the order alone is run again as it was, something can be concluded from another one.
    let again = await run(request(order.order))
    if again.diagnostics.contains(where: { $0.isSameFailure(as: failure) }), let pair = await single() { return pair }
    return await nearest(deviations)
  }

  private var isOver: Bool { executions >= most || duration >= Self.time }

  /// The cancellation, and the last step of the cancelled task that is the same where it is not cancelled.
  private mutating func cancellation(_ uncancelled: ReplayRequest) async -> DecisivePair? {
    let events = log.events.compactMap { event -> (event: Event, task: Int, isOfExploration: Bool)? in
      switch event.kind {
      case .cancelled: event.task.map { (event, $0, true) }
      case .cancels(let task?): (event, task, false)
      default: nil
      }
    }
    guard let (event, task, isOfExploration) = events.last else { return nil }
    var request = uncancelled
    (request.isLogged, request.isHidden) = (true, true)
    let outcome = await run(request)
    guard passes(outcome), let other = outcome.log.flatMap(StepOrder.init) else { return nil }
    let common = order.positions(in: other)
    let later = order.steps.indices.filter {
      order.steps[$0].event.task == task && order.steps[$0].event.step > event.step
    }
    let inCode = later.filter { order.steps[$0].remoteness < 2 }
    guard let index = inCode.last(where: { common[$0] != nil }) ?? inCode.first ?? later.first else { return nil }
    let first = DecisivePair.Step(
      step: event.step,
      task: isOfExploration ? "the exploration" : event.task.map { log.title(ofTask: $0) } ?? "a task",
      isCancelled: false, actor: nil, function: name(event.source),
      line: event.source?.fileAndLine, caller: nil, code: nil, note: nil,
      isResumption: false)
    let stacks = await stacks(of: [index])
    return DecisivePair(
      first: first, second: step(index, stacks, with: index), count: 1, isReachable: true, isCancellation: true,
      preemption: nil, executions: executions)
  }

  /// The step that goes on while another one is stopped, and the rest of that: of several steps one without which it passes, if that is seen.
  private mutating func inside(_ deviation: TriedDeviation) async -> DecisivePair? {
    var sequence = sequence
    sequence[.preemption][deviation.position].value = 0
    let rest = order.steps.indices.first { order.steps[$0].isRest && order.steps[$0].event.step > deviation.step }
    guard let rest, let preempted = log.preemption(before: order.steps[rest].event),
      case .preempted(let access) = preempted.kind, await isConfirmed(ReplayRequest(sequence))
    else { return nil }
    let task = order.steps[rest].key.task
    let between = order.steps.indices.filter {
      $0 < rest && order.steps[$0].event.step > preempted.step && order.steps[$0].key.task != task
    }
    let near = between.sorted { (order.steps[$0].remoteness, -$0) < (order.steps[$1].remoteness, -$1) }
    guard var first = near.first else { return nil }
    for candidate in near.prefix(near.count > 1 ? Self.mostChecked : 0) where !isOver {
      guard passes(await run(request(order.holding(candidate, until: rest, overtaking: true)))) else { continue }
      first = candidate
      break
    }
    let stacks = await stacks(of: [first])
    return DecisivePair(
      first: step(first, stacks, with: first), second: step(rest, [:], with: rest), count: 1, isReachable: true,
      isCancellation: false, preemption: access.text, executions: executions)
  }

  /// Of the pairs without which the execution passes the last one: up to there it could still have passed.
  private mutating func single() async -> DecisivePair? {
    var found: [(first: Int, second: Int)] = []
    for (first, second) in order.candidates where !found.contains(where: { $0.first >= first && $0.second <= second }) {
      if isOver { break }
      if passes(await run(request(order.holding(first, until: second, overtaking: true)))) {
        found.append((first, second))
      }
    }
    // A distant pair is reversed by whatever reverses a near one in between.
    let nearest = found.filter { pair in
      !found.contains {
        $0 != pair && $0.first >= pair.first && $0.second <= pair.second && remoteness($0) <= remoteness(pair)
      }
    }
    let best = nearest.sorted { (remoteness($0), -$0.second) < (remoteness($1), -$1.second) }
    for (first, second) in best.prefix(Self.mostChecked) {
      // The order may have been out of reach, and the execution may have passed for another reason.
      var logged = request(order.holding(first, until: second, overtaking: true))
      logged.isLogged = true
      let outcome = await run(logged)
      guard passes(outcome), let other = outcome.log.flatMap(StepOrder.init), isLike(outcome, other),
        order.isReversed(first, second, in: other)
      else { continue }
      guard await isConfirmed(logged) else { return nil }
      let reachable = await run(request(order.holding(first, until: second, overtaking: false)))
      return await pair(first, second, count: 1, isReachable: passes(reachable))
    }
    return nil
  }

  private func remoteness(_ pair: (first: Int, second: Int)) -> Int { order.remoteness(pair.first, pair.second) }

  /// The first of the pairs that the nearest passing execution has the other way round: one without a deviation, or with
  /// fewer switches.
  private mutating func nearest(_ deviations: [TriedDeviation]) async -> DecisivePair? {
    var requests = deviations.filter { $0.without == .passes && $0.kind != .cancellation }.map { deviation in
      var sequence = sequence
      sequence[deviation.kind.lane][deviation.position].value = 0
      return ReplayRequest(sequence)
    }
    requests.append(ReplayRequest(sequence, order: .toCompletion))
    var fewest: [(first: Int, second: Int)] = []
    var passing: ReplayRequest?
    for var request in requests {
      // The search for a single pair may have taken all the executions that it has.
      if duration >= Self.time * 2 { break }
      (request.isLogged, request.isHidden) = (true, true)
      let outcome = await run(request)
      guard passes(outcome), let other = outcome.log.flatMap(StepOrder.init), isLike(outcome, other) else { continue }
      let pairs = order.reversals(in: other)
      if !pairs.isEmpty, fewest.isEmpty || pairs.count < fewest.count { (fewest, passing) = (pairs, request) }
    }
    let nearest = fewest.min { remoteness($0) < remoteness($1) }
    guard let nearest, let passing, await isConfirmed(passing) else { return nil }
    return await pair(nearest.first, nearest.second, count: fewest.count)
  }

  /// Whether a request that has passed passes each time.
  private mutating func isConfirmed(_ passing: ReplayRequest) async -> Bool {
    var request = passing
    (request.isLogged, request.isHidden) = (false, true)
    for _ in 0..<Self.confirmations {
      let outcome = await run(request)
      if passes(outcome) { continue }
      isContradicted = !outcome.diagnostics.isEmpty && !outcome.isOutOfControl
      return false
    }
    return true
  }

  /// Whether an execution differs in the order alone.
  private func isLike(_ outcome: ExecutionOutcome, _ other: StepOrder) -> Bool {
    order.drawsAlike(other) && outcome.sequence?.cancellation.deviations == sequence.cancellation.deviations
  }

  private func passes(_ outcome: ExecutionOutcome) -> Bool {
    outcome.diagnostics.isEmpty && outcome.rejection == nil && !outcome.isOutOfControl
  }

  private func request(_ tasks: TaskOrder) -> ReplayRequest {
    var request = ReplayRequest(sequence, toSeeWhether: failure)
    (request.order, request.tasks, request.isHidden) = (.ofTasks, tasks, true)
    return request
  }

  private mutating func run(_ request: ReplayRequest) async -> ExecutionOutcome {
    let outcome = await replay(request)
    executions += 1
    // Only the real time of the executions counts, and not how long other tests keep the main actor.
    duration += outcome.duration
    return outcome
  }

  private mutating func pair(
    _ first: Int, _ second: Int, count: Int, isReachable: Bool = true
  ) async -> DecisivePair {
    // A reader knows none of Napkin's functions: the task's next step in other code says more, as long as the order is kept.
    let (shownFirst, shownSecond) = (own(first) { $0 < second }, own(second) { _ in true })
    let stacks = await stacks(of: [shownFirst, shownSecond])
    return DecisivePair(
      first: step(shownFirst, stacks, with: shownSecond), second: step(shownSecond, stacks, with: shownFirst),
      count: count, isReachable: isReachable, isCancellation: false, preemption: nil, executions: executions)
  }

  /// The step, or for one of Napkin the next one of its task in other code; without such a step the one before.
  private func own(_ index: Int, where isInOrder: (Int) -> Bool) -> Int {
    let all = order.steps.indices.filter {
      order.steps[$0].key.task == order.steps[index].key.task && !order.steps[$0].event.isOfFramework
    }
    return all.first { $0 >= index && isInOrder($0) } ?? all.last { $0 <= index } ?? index
  }

  /// The functions that wait at these steps and the next ones of their tasks: at no others, since each name costs milliseconds.
  private mutating func stacks(of steps: [Int]) async -> [Int: [SourcePlace]] {
    var request = ReplayRequest(sequence)
    (request.isLogged, request.isHidden) = (true, true)
    request.stacksAt = steps.flatMap { [$0] + [next(after: $0)].compactMap(\.self) }.map { order.steps[$0].event.step }
    return await run(request).log?.stacks ?? [:]
  }

  private func step(_ index: Int, _ stacks: [Int: [SourcePlace]], with other: Int) -> DecisivePair.Step {
    let step = order.steps[index]
    let note = log.events.lazy.filter { $0.step == step.event.step && $0.task == step.event.task }.compactMap { event in
      if case .note(let text) = event.kind { (text: text, line: event.line) } else { nil }
    }.first
    let stack = stacks[step.event.step] ?? []
    let preemption = step.isRest ? log.preemption(before: step.event) : nil
    var source = preemption?.source ?? function(of: index, stacks, with: other)
    if source?.module == "Napkin" { source = nil }
    let caller = stack.firstIndex { $0 == source }.flatMap { stack.dropFirst($0 + 1).first }
    let function = name(source)
    return DecisivePair.Step(
      step: step.event.step, task: step.event.task.map { log.titles[$0] ?? "task \($0)" } ?? "a task",
      isCancelled: log.isCancelled(step.event),
      actor: step.place == .global ? nil : log.title(of: step.place),
      function: function, line: source?.fileAndLine ?? note?.line, caller: name(caller),
      code: function == nil ? source?.quotation : nil, note: note?.text,
      isResumption: step.isRest || source?.isResumption ?? false)
  }

  /// The name of a function; nil for the test's own closures, which have none that a reader needs.
  private func name(_ source: SourcePlace?) -> String? {
    source.flatMap { log.isNamed($0) ? $0.text : nil }
  }

  /// The function that a step is best known by.
  ///
  /// The one that goes on first may return at once, to others that go on in the same step. Of those it is the one that the other
  /// step is in, too, or else the one in which the task waits next; a closure of the test, which both are often in, says nothing.
  private func function(of index: Int, _ stacks: [Int: [SourcePlace]], with other: Int) -> SourcePlace? {
    let stack = running(in: index, stacks).filter { name($0) != nil }
    let others = running(in: other, stacks)
    if let shared = stack.first(where: { place in others.contains { $0.callee == place.callee } }) { return shared }
    let next = next(after: index).flatMap { order.steps[$0].event.source }
    return stack.first { $0.callee == next?.callee } ?? order.steps[index].event.source
  }

  /// The functions that go on in a step, the innermost first: not those that wait at the same place after it.
  private func running(in index: Int, _ stacks: [Int: [SourcePlace]]) -> [SourcePlace] {
    let stack = stacks[order.steps[index].event.step] ?? []
    guard let next = next(after: index), let later = stacks[order.steps[next].event.step] else { return stack }
    let waiting = zip(stack.reversed(), later.reversed()).prefix { $0 == $1 }.count
    return Array(stack.prefix(max(1, stack.count - waiting)))
  }

  /// The next step of the same task; nil if it has none.
  private func next(after index: Int) -> Int? {
    order.steps[(index + 1)...].firstIndex { $0.key.task == order.steps[index].key.task }
  }
}

extension EventLog {
  /// Whether the task of an event was cancelled before.
  fileprivate func isCancelled(_ event: Event) -> Bool {
    events.contains { other in
      guard other.step < event.step else { return false }
      return switch other.kind {
      case .cancelled: other.task == event.task
      case .cancels(let task?): task == event.task
      default: false
      }
    }
  }

  /// The preemption after which a task goes on in an event.
  fileprivate func preemption(before event: Event) -> Event? {
    events.last { other in
      guard other.task == event.task, other.step < event.step, case .preempted = other.kind else { return false }
      return true
    }
  }
}
