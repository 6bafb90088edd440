// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
public import Testing

extension Recorder {
  /// Waits for at least `count` events, and returns all events recorded by then.
  ///
  ///     #expect(await presenter.recorder.events(atLeast: 1) == [.presentUser(joe)])
  ///
  /// Events count from the beginning or the last `reset()`. The timeout is real time, and has no effect under an
  /// exploration.
  ///
  /// - Returns: Fewer events if the calling task was cancelled, or if the timeout expired and an issue was recorded.
  @discardableResult
  public nonisolated(nonsending) func events(
    atLeast count: Int,
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Event] {
    let ending = await log.wait(until: Deadline(after: timeout)) { log in
      log.events.count < count ? nil : log.events
    }
    if case .success(let events) = ending { return events }
    return timedOut(ending, waitingFor: "at least \(count) event\(count == 1 ? "" : "s")", timeout, at: sourceLocation)
  }

  /// Waits for the first event that no `next()` has returned yet.
  ///
  /// One call hands out one event, so a test can walk along: `#expect(await recorder.next() == .loading)`, then the
  /// next. Callers receive events in the order of their calls.
  ///
  /// - Returns: Nil if the calling task was cancelled, or if the timeout expired and an issue was recorded.
  @discardableResult
  public nonisolated(nonsending) func next(
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Event? {
    let ending = await log.wait(until: Deadline(after: timeout)) { log -> Event? in
      guard log.cursor < log.end else { return nil }
      defer { log.cursor += 1 }
      return log[log.cursor]
    }
    if case .success(let event) = ending { return event }
    timedOut(ending, waitingFor: "another event", timeout, at: sourceLocation)
    return nil
  }

  /// Waits for the first event, recorded already or yet to come, that satisfies a predicate.
  ///
  /// - Returns: Nil if the calling task was cancelled, or if the timeout expired and an issue was recorded.
  @discardableResult
  public nonisolated(nonsending) func first(
    within timeout: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation,
    where predicate: (Event) throws -> Bool
  ) async rethrows -> Event? {
    let deadline = Deadline(after: timeout)
    var position = 0
    while true {
      let from = position
      // The predicate is the user's, so it runs here and not under the recorder's lock.
      let ending = await log.wait(until: deadline) { log -> Recorder.Batch? in
        log.end > max(from, log.forgotten) ? Batch(log, from: from) : nil
      }
      guard case .success(let batch) = ending else {
        timedOut(ending, waitingFor: "an event that satisfies the predicate", timeout, at: sourceLocation)
        return nil
      }
      if let event = try batch.events.first(where: predicate) { return event }
      position = batch.end
    }
  }

  /// Every event from the first one on, each as soon as it is recorded, until the recorder is released.
  ///
  /// Each stream sees all of them, those from before a `reset()` excepted; one that is no longer read leaves nothing
  /// behind.
  public var stream: AsyncStream<Event> {
    let position = Atomic(0)
    return AsyncStream { [log] in
      let from = position.load(ordering: .relaxed)
      let ending = await log.wait { log -> Batch? in
        let start = max(from, log.forgotten)
        return log.end > start ? Batch(log, from: start, limit: 1) : nil
      }
      guard case .success(let batch) = ending else { return nil }
      position.store(batch.end, ordering: .relaxed)
      return batch.events.first
    }
  }

  struct Batch: Sendable {
    let events: [Event]
    let end: Int

    init(_ log: Log, from position: Int, limit: Int = .max) {
      events = Array(log.events.dropFirst(position - log.forgotten).prefix(limit))
      end = max(position, log.forgotten) + events.count
    }
  }

  @discardableResult
  private func timedOut<Value>(
    _ ending: Monitored<Log>.Ending<Value>,
    waitingFor expected: String,
    _ timeout: Duration,
    at sourceLocation: SourceLocation
  ) -> [Event] {
    let events = events
    guard case .failure(.late) = ending else { return events }
    Diagnostic(
      .timeout,
      "\(name) waited \(timeout.brief) for \(expected); recorded so far: \(events.listed()).",
      likelyCause: "the call was not made, or another instance of the double received it.",
      suggestion: "await what leads to the call first, or allow more time with `within:`."
    ).record(at: sourceLocation)
    return events
  }
}
