// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Stub {
  /// Lets each answer take a drawn time, as over a network, so that answers overtake each other and timeouts.
  ///
  ///     service.loginStub.answersInAnyOrder(within: .seconds(3))
  ///
  /// Under an exploration a call is answered at once, or after one to four quarters of the longest time, which is virtual;
  /// a failure shows what was drawn, and has as many answers at once as it can. Outside an exploration, and on the real
  /// thread pool, every answer comes at once. Which answer belongs to which call is decided when the call is made. A call
  /// whose task is cancelled waits no longer.
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
    return delaysAnswers { function in
      guard Execution.isSimulated else { return }
      let time = Execution.draw(.latency(within: longest), "the answer of \(function) takes")
      if time > .zero { try? await Execution.clock.sleep(for: time) }
    }
  }
}
