// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization
public import Testing

/// The clock of the current execution: virtual where time is simulated, and real elsewhere.
///
/// ```swift
/// try await Execution.clock.sleep(for: .seconds(5))
/// ```
///
/// On Linux the standard clocks, `Date` and `DispatchTime` return the same time while an execution runs, and sleeping by any of
/// the clocks costs none. On Apple's platforms `Date` and `DispatchTime` are real, and the standard clocks and sleeping are
/// simulated in code that is linked into the tests, so other code that compares deadlines should be given this one as
/// `any Clock<Duration>`.
///
/// Time does not pass while any task is ready. A body that asks for it more than a thousand times without any task going to
/// sleep sees it pass all the same, so a loop that polls a clock ends.
public struct SimulatedClock: Clock {
  /// A moment of an execution, counted from its beginning.
  public struct Instant: InstantProtocol {
    /// The time since the execution began; since the first look at the clock, where time is real.
    public var offset: Duration

    /// Returns the moment that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this moment to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the left moment comes before the right one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private static let epoch = ContinuousClock.now

  /// The present moment; under simulation it does not change while any task is ready.
  public var now: Instant {
    guard let execution = CurrentExecution.scope as? SimulatedExecution else {
      return Instant(offset: Self.epoch.duration(to: ContinuousClock.now))
    }
    return Instant(offset: execution.scheduler.now)
  }

  /// The resolution of the clock: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits for a moment; under simulation that costs no real time.
  ///
  /// - Parameters:
  ///   - deadline: The moment at which to return.
  ///   - tolerance: The accepted delay; simulated sleeps ignore it.
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await ContinuousClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}

extension Execution {
  /// The clock of the current execution.
  public static var clock: SimulatedClock { SimulatedClock() }

  /// Lets the date move apart from the clocks by which timers go off, as it does on a device: by microseconds, and by corrections.
  ///
  ///     Execution.correctsDate()
  ///     let deadline = Date() + 5
  ///     try await Task.sleep(for: .seconds(5))
  ///     #expect(Date() >= deadline)  // fails where the date is slower
  ///
  /// In most executions the date is slower or faster by 100 microseconds in a second. In one of ten it is exact, and in one of ten
  /// it is set forward or back, at one of its first eight readings. A failure shows which. Without this, `Date` and the clocks agree
  /// to the nanosecond: a test that measures a sleep by the date relies on that, and is right to. On Linux; elsewhere the date is
  /// the system's. Outside an exploration it records an issue; on the real thread pool nothing happens.
  ///
  /// - Parameters:
  ///   - step: By how much the date is set forward or back.
  ///   - sourceLocation: The line at which a call outside an exploration is recorded.
  public static func correctsDate(
    by step: Duration = .seconds(2), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let scope = scope(of: "correctsDate()", at: sourceLocation) as? SimulatedExecution else { return }
    switch draw(Gen<Int>.int(in: 0...9).map(DateCorrection.init), "the date") {
    case .none: break
    case .slower: scope.scheduler.inC.pointee.date_drift = -100_000
    case .faster: scope.scheduler.inC.pointee.date_drift = 100_000
    case .step:
      let isBack = draw(Gen<Bool>.bool, "it is set back")
      scope.scheduler.inC.pointee.date_step = step.wholeNanoseconds * (isBack ? -1 : 1)
      scope.scheduler.inC.pointee.date_step_at = Int64(draw(Gen<Int>.int(in: 1...8), "at its reading number"))
    }
  }
}

/// How the date moves apart from the other clocks.
private enum DateCorrection: CustomStringConvertible {
  case none, slower, faster, step

  init(_ number: Int) {
    self = number == 0 ? .none : number <= 4 ? .slower : number <= 8 ? .faster : .step
  }

  var description: String {
    switch self {
    case .none: "is exact"
    case .slower: "is slower by 100 µs in a second"
    case .faster: "is faster by 100 µs in a second"
    case .step: "is set"
    }
  }
}

/// The time by the standard clocks when an execution first asked them; they move on from there with its own.
struct ClockBeginnings {
  var continuous: ContinuousClock.Instant?
  var suspending: SuspendingClock.Instant?
}

/// Yields and sleeps on the exploring thread, without the runtime's executors.
enum SimulatedWait {
  /// Lets the scheduler pick the next job, by the same kind of job that `Task.yield()` makes.
  nonisolated(nonsending) static func yield() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let job = napkin_continuation_job(unsafeBitCast(continuation, to: UInt.self))
      _ = Scheduler.current?.enqueue(job, onMain: false)
    }
  }

  /// Waits in the time of the execution.
  nonisolated(nonsending) static func sleep(for duration: Duration) async throws {
    let sleep = Sleep()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if sleep.begin(continuation) { Scheduler.current?.wake(sleep, after: duration) }
      }
    } onCancel: {
      sleep.end()
    }
    try Task.checkCancellation()
  }
}

/// A task that waits for a time of the execution, or for its cancellation, whichever comes first.
final class Sleep: Sendable {
  private enum State {
    case awake
    case asleep(UnsafeContinuation<Void, Never>)
    case over
  }

  private let state = Mutex(State.awake)

  /// False if the task was cancelled before: then it goes on at once.
  fileprivate func begin(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .over = state { return true }
      state = .asleep(continuation)
      return false
    }
    if isCancelled { continuation.resume() }
    return !isCancelled
  }

  func end() {
    let continuation = state.withLock { state in
      defer { state = .over }
      if case .asleep(let continuation) = state { return Optional(continuation) }
      return nil
    }
    continuation?.resume()
  }
}
