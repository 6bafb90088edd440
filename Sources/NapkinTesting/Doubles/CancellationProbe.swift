// SPDX-License-Identifier: Apache-2.0

/// Stands in the middle of some work and records when it began, when it was cancelled and when it ended.
///
///     let probe = CancellationProbe()
///     let service = UserServiceMock(stream: { probe.stream() })
///     await interactor.activate()
///     await probe.recorder.first { $0 == .began }
///     await expectCancels(probe) { await interactor.deactivate() }
public final class CancellationProbe: Recording {
  /// How far the work is.
  public enum Event: Sendable, Hashable {
    /// The work has begun.
    case began
    /// The task that does the work was cancelled, while the work was going on.
    case cancelled
    /// The work has returned or thrown.
    case ended
  }

  /// Holds how far the work is, in order.
  public let recorder = Recorder<Event>("CancellationProbe")

  /// Watches nothing yet.
  public init() {}

  /// Does some work and records how it goes.
  public nonisolated(nonsending) func run<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    record(.began)
    defer { record(.ended) }
    return try await withTaskCancellationHandler {
      try await work()
    } onCancel: {
      record(.cancelled)
    }
  }

  /// Does nothing until its task is cancelled: a service that never answers, and gives up when it is told to.
  public nonisolated(nonsending) func untilCancelled() async {
    await run { _ = await Monitored(0).wait { _ -> Void? in nil } }
  }

  /// Yields nothing, ever, and ends when its reader is cancelled: what an interactor observes.
  public func stream<Element: Sendable>(of element: Element.Type = Element.self) -> AsyncStream<Element> {
    AsyncStream { [self] in
      await untilCancelled()
      return nil
    }
  }
}
