// SPDX-License-Identifier: Apache-2.0

extension Stub {
  /// Returns this from every call that has no answer of its own; it takes the place of an earlier standing answer.
  @discardableResult
  public func returns(_ output: Output) -> Self {
    stands(.result(.success(output)))
  }

  /// Throws this from every call that has no answer of its own; it takes the place of an earlier standing answer.
  @discardableResult
  public func `throws`(_ error: any Error) -> Self {
    stands(.result(.failure(error)))
  }

  /// Runs this for every call that has no answer of its own; it takes the place of an earlier standing answer.
  @discardableResult
  public func answers(_ body: @escaping Handler) -> Self {
    stands(.body(body))
  }

  /// Returns these from the next calls, one each, before the standing answer is asked again.
  @discardableResult
  public func returns(inOrder outputs: Output...) -> Self {
    answers.update { answers in
      for output in outputs { answers.queue.append(.result(.success(output))) }
    }
    return self
  }

  /// Returns this from the next call that has no answer of its own, once.
  @discardableResult
  public func returnsOnce(_ output: Output) -> Self {
    queues(.result(.success(output)))
  }

  /// Throws this from the next call that has no answer of its own, once.
  @discardableResult
  public func throwsOnce(_ error: any Error) -> Self {
    queues(.result(.failure(error)))
  }

  /// Runs this for the next call that has no answer of its own, once.
  @discardableResult
  public func answersOnce(_ body: @escaping Handler) -> Self {
    queues(.body(body))
  }

  /// Holds every call at a gate before it is answered; the call is noted before it waits.
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

// The vocabulary of generated RIBs mocks, where people look for it.
extension Stub {
  /// How often the stub was called.
  public var callCount: Int { recorder.count }

  /// The inputs of all calls, oldest first.
  public var argValues: [Input] { recorder.events }

  /// The standing answer, as a closure.
  public var handler: Handler? {
    get { answers.read { $0.standing?.handler } }
    set { answers.update { $0.standing = newValue.map { .body($0) } } }
  }
}
