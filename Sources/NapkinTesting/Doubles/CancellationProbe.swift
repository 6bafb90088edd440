// SPDX-License-Identifier: Apache-2.0

/// Wraps some work and records when it begins, is cancelled and ends.
///
///     let probe = CancellationProbe()
///     let service = UserServiceMock(stream: { probe.stream() })
///     await interactor.activate()
///     await probe.recorder.first { $0 == .began }
///     await expectCancels(probe) { await interactor.deactivate() }
public final class CancellationProbe: Recording {
  /// A step of the work.
  public enum Event: Sendable, Hashable {
    /// The work has begun.
    case began
    /// The task that does the work was cancelled, while the work was going on.
    case cancelled
    /// The work has returned or thrown.
    case ended
  }

  /// The steps of the work, in order.
  public let recorder = Recorder<Event>("CancellationProbe")

  /// Makes a probe that has recorded nothing.
  public init() {}

  /// Runs some work and records its steps.
  public nonisolated(nonsending) func run<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    record(.began)
    defer { record(.ended) }
    return try await withTaskCancellationHandler {
      try await work()
    } onCancel: {
      record(.cancelled)
    }
  }

  /// Suspends until its task is cancelled, like a service that never answers.
  public nonisolated(nonsending) func untilCancelled() async {
    await run { _ = await Monitored(0).wait { _ -> Void? in nil } }
  }

  /// A stream without elements, which ends when its reader is cancelled.
  public func stream<Element: Sendable>(of element: Element.Type = Element.self) -> AsyncStream<Element> {
    AsyncStream { [self] in
      await untilCancelled()
      return nil
    }
  }
}
