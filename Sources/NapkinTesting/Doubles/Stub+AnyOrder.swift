// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Stub {
  /// Lets each request and each answer take a drawn time, as over a network, so that they overtake each other and timeouts.
  ///
  ///     service.loginStub.answersInAnyOrder(within: .seconds(3))
  ///
  /// Under an exploration a call is answered at once, or after one to four quarters of the longest time, which is virtual;
  /// a failure shows the drawn times, and has as many answers at once as it can. Outside an exploration, and on the real
  /// thread pool, every answer comes at once. When the request is there, the call is recorded, and it is decided which answer
  /// it gets. A call whose task is cancelled waits no longer.
  ///
  /// - Parameters:
  ///   - longest: The longest time that an answer takes.
  ///   - sourceLocation: Where a time that is not positive is reported.
  /// - Returns: The stub.
  @discardableResult
  public func answersInAnyOrder(
    within longest: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    guard longest.canBeLatency(of: "\(recorder.name).answersInAnyOrder", at: sourceLocation) else { return self }
    answers.update { $0.longest = longest }
    return self
  }
}

extension Execution {
  /// Lets each async call of each ``Stub`` of the execution be answered after a drawn time, and fail if there is an error.
  ///
  /// ```swift
  /// Execution.stubsAnswerInAnyOrder(throwing: Offline())
  /// ```
  ///
  /// Each answer takes time as by ``Stub/answersInAnyOrder(within:sourceLocation:)``; a stub that was set so by itself keeps
  /// its own longest time. With an error, one call in four throws it in place of its answer, where the function that calls the
  /// stub can throw it. A failure shows which did, and has as few of them as it can. Outside an exploration it records an issue;
  /// on the real thread pool nothing happens. ``Testing/Trait/stubsAnswerInAnyOrder(within:throwing:sourceLocation:)`` is the same for a
  /// test.
  ///
  /// - Parameters:
  ///   - longest: The longest time that an answer takes.
  ///   - error: The error that one call in four throws, if its function can; nil lets none fail.
  ///   - sourceLocation: Where a time that is not positive is reported.
  public static func stubsAnswerInAnyOrder(
    within longest: Duration = .seconds(1), throwing error: (any Error)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard longest.canBeLatency(of: "Execution.stubsAnswerInAnyOrder", at: sourceLocation) else { return }
    guard let scope = scope(of: "stubsAnswerInAnyOrder()", at: sourceLocation), scope.isSimulated else { return }
    StubsInAnyOrder.ofExecution.set(StubsInAnyOrder(longest: longest, error: error), in: scope)
  }
}

/// The latency and the failures of all stubs of an execution.
struct StubsInAnyOrder: Sendable {
  let longest: Duration
  let error: (any Error)?

  fileprivate static let ofExecution = PerExecution<Self>()

  /// The latency and the failures of the calling code's execution; nil where stubs answer at once.
  static var current: Self? { CurrentExecution.scope.flatMap { ofExecution[$0] } }

  /// The error that a call throws in place of its answer, which is drawn where its function can throw it.
  func failure(of function: String, where canThrow: (any Error) -> Bool) -> (any Error)? {
    guard let error, canThrow(error) else { return nil }
    let fails = Execution.draw(Gen<Int>.int(in: 0...3).map { $0 == 3 }, "\(function) throws \(error)")
    return fails ? error : nil
  }
}

extension Latency {
  /// The drawn latency of a call in an exploration.
  static func drawn(of function: String, within longest: Duration?) -> Latency? {
    guard let longest, Execution.isSimulated else { return nil }
    return Execution.draw(.latency(within: longest), "a call of \(function) takes")
  }

  /// Waits for a part of it, in which other requests and answers may come.
  nonisolated(nonsending) static func wait(for time: Duration?) async {
    if let time, time > .zero { try? await Execution.clock.sleep(for: time) }
  }
}
