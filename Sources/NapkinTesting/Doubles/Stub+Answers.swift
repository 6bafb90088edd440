// SPDX-License-Identifier: Apache-2.0

extension Stub {
  /// Returns a value from every call without a queued answer, in place of an earlier default answer.
  @discardableResult
  public func returns(_ output: Output) -> Self {
    stands(.result(.success(output)))
  }

  /// Throws an error from every call without a queued answer, in place of an earlier default answer.
  @discardableResult
  public func `throws`(_ error: any Error) -> Self {
    stands(.result(.failure(error)))
  }

  /// Runs a closure for every call without a queued answer, in place of an earlier default answer.
  @discardableResult
  public func answers(_ body: @escaping Handler) -> Self {
    stands(.body(body))
  }

  /// Queues values for the next calls, one each; after them the default answer is used again.
  @discardableResult
  public func returns(inOrder outputs: Output...) -> Self {
    answers.update { answers in
      for output in outputs { answers.queue.append(.result(.success(output))) }
    }
    return self
  }

  /// Queues a value for one call.
  @discardableResult
  public func returnsOnce(_ output: Output) -> Self {
    queues(.result(.success(output)))
  }

  /// Queues an error for one call.
  @discardableResult
  public func throwsOnce(_ error: any Error) -> Self {
    queues(.result(.failure(error)))
  }

  /// Queues a closure for one call.
  @discardableResult
  public func answersOnce(_ body: @escaping Handler) -> Self {
    queues(.body(body))
  }

  /// Makes every call pass a gate before it is answered; the call is recorded before it waits.
  @discardableResult
  public func waits(at gate: Gate?) -> Self {
    answers.update { $0.gate = gate }
    return self
  }

  private func stands(_ answer: Answer) -> Self {
    answers.update { $0.standing = answer }
    return self
  }

  private func queues(_ answer: Answer) -> Self {
    answers.update { $0.queue.append(answer) }
    return self
  }
}
