// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// Code of the tests' image refers to the functions below by these names, and binds to them, since they are in that image. Each does
// what the runtime's own one does, and is a call at which a job can be stopped.

extension Task where Success == Never, Failure == Never {
  @_silgen_name("$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ") @usableFromInline
  static func interposedCheck() throws {
    if Task<Never, Never>.isCancelled { throw _Concurrency.CancellationError() }
  }
}

@_silgen_name(
  "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF") @usableFromInline
func interposedHandler<T>(
  operation: () async throws -> T, onCancel handler: @Sendable () -> Void, isolation: isolated (any Actor)?
) async rethrows -> T {
  napkin_reach_call(Int32(napkin_access_handler))
  let record = RuntimeFunctions.addHandler {
    napkin_reach_call(Int32(napkin_access_handler))
    handler()
  }
  defer {
    napkin_reach_call(Int32(napkin_access_handler))
    RuntimeFunctions.removeHandler(record)
    napkin_reach_call(Int32(napkin_access_handler))
  }
  napkin_reach_call(Int32(napkin_access_handler))
  return try await operation()
}

#if NAPKIN_LIKE_APPLE || canImport(Darwin)

// Yielding and sleeping, which the runtime of Apple's 26 sends to its own executors without asking any hook. Code of
// the tests' image refers to the functions below by these names, and binds to them, since they are in that image.
//
// Each has the isolation and the signature of the function that it replaces. Off the exploring thread it calls that one.

extension Task where Success == Never, Failure == Never {
  @_silgen_name("$sScTss5NeverORszABRs_rlE5yieldyyYaFZ") @usableFromInline
  static func interposedYield() async {
    guard napkin_is_exploring_thread() else { return await RuntimeFunctions.yield() }
    await SimulatedWait.yield()
  }

  @_silgen_name("$sScTss5NeverORszABRs_rlE5sleepyys6UInt64VYaFZ") @usableFromInline
  static func interposedSleep(_ duration: UInt64) async {
    guard napkin_is_exploring_thread() else { return await RuntimeFunctions.sleep(duration) }
    try? await SimulatedWait.sleep(for: .nanoseconds(Int64(clamping: duration)))
  }

  @_silgen_name("$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZ") @usableFromInline
  static func interposedSleep(nanoseconds duration: UInt64) async throws {
    guard napkin_is_exploring_thread() else { return try await RuntimeFunctions.sleepNanoseconds(duration) }
    try await SimulatedWait.sleep(for: .nanoseconds(Int64(clamping: duration)))
  }

  // This is all that the runtime's own function does, and a clock's own function is looked at below.
  @_silgen_name(
    "$sScTss5NeverORszABRs_rlE5sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZ")
  @usableFromInline
  static func interposedSleep<C: Clock>(until deadline: C.Instant, tolerance: C.Duration?, clock: C) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

extension ContinuousClock {
  @_silgen_name("$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF") @usableFromInline
  func interposedSleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    guard napkin_is_exploring_thread() else { return try await RuntimeFunctions.sleepContinuous(deadline, tolerance) }
    try await SimulatedWait.sleep(for: now.duration(to: deadline))
  }
}

extension SuspendingClock {
  @_silgen_name("$ss15SuspendingClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF") @usableFromInline
  func interposedSleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    guard napkin_is_exploring_thread() else { return try await RuntimeFunctions.sleepSuspending(deadline, tolerance) }
    try await SimulatedWait.sleep(for: now.duration(to: deadline))
  }
}

// The time by a clock, which moves with the execution on the exploring thread.

extension ContinuousClock {
  @_silgen_name("$ss15ContinuousClockV3nowAB7InstantVvgZ") @usableFromInline
  static func interposedNow() -> Instant { ContinuousClock.Instant.interposedNow() }

  @_silgen_name("$ss15ContinuousClockV3nowAB7InstantVvg") @usableFromInline
  func interposedNow() -> Instant { ContinuousClock.Instant.interposedNow() }
}

extension ContinuousClock.Instant {
  @_silgen_name("$ss15ContinuousClockV7InstantV3nowADvgZ") @usableFromInline
  static func interposedNow() -> ContinuousClock.Instant {
    guard napkin_is_exploring_thread(), let scheduler = Scheduler.current else {
      return RuntimeFunctions.continuousNow()
    }
    let beginning = scheduler.beginnings.continuous ?? RuntimeFunctions.continuousNow()
    scheduler.beginnings.continuous = beginning
    return beginning.advanced(by: .nanoseconds(napkin_asked_time()))
  }
}

extension SuspendingClock {
  @_silgen_name("$ss15SuspendingClockV3nowAB7InstantVvgZ") @usableFromInline
  static func interposedNow() -> Instant { SuspendingClock.Instant.interposedNow() }

  @_silgen_name("$ss15SuspendingClockV3nowAB7InstantVvg") @usableFromInline
  func interposedNow() -> Instant { SuspendingClock.Instant.interposedNow() }
}

extension SuspendingClock.Instant {
  @_silgen_name("$ss15SuspendingClockV7InstantV3nowADvgZ") @usableFromInline
  static func interposedNow() -> SuspendingClock.Instant {
    guard napkin_is_exploring_thread(), let scheduler = Scheduler.current else {
      return RuntimeFunctions.suspendingNow()
    }
    let beginning = scheduler.beginnings.suspending ?? RuntimeFunctions.suspendingNow()
    scheduler.beginnings.suspending = beginning
    return beginning.advanced(by: .nanoseconds(napkin_asked_time()))
  }
}

extension Clock {
  /// Called by `Interpose.c` for the two standard clocks, in place of a call through the protocol.
  @_silgen_name("napkin_now_by_clock") @usableFromInline
  func simulatedNow() -> Instant {
    let now: any InstantProtocol = self is ContinuousClock ? ContinuousClock.now : SuspendingClock.now
    return now as! Instant
  }

  /// Called by `Interpose.c` for the two standard clocks, in place of a call through the protocol.
  @_silgen_name("napkin_sleep_by_clock") @usableFromInline
  func simulatedSleep(until deadline: Instant, tolerance: Instant.Duration?) async throws {
    guard let delay = now.duration(to: deadline) as? Swift.Duration else { return }
    try await SimulatedWait.sleep(for: delay)
  }
}

extension RealWait {
  /// The runtime's own ways, and the way through a clock's protocol, which may lead through other code of the runtime.
  static let all = [
    yield("Task.yield()") { await RuntimeFunctions.yield() },
    sleep("Task.sleep(_:)") { await RuntimeFunctions.sleep(UInt64(duration.wholeNanoseconds)) },
    sleep("Task.sleep(nanoseconds:)") {
      try await RuntimeFunctions.sleepNanoseconds(UInt64(duration.wholeNanoseconds))
    },
    sleep("ContinuousClock.sleep(until:)") {
      try await RuntimeFunctions.sleepContinuous(RuntimeFunctions.continuousNow() + duration, nil)
    },
    sleep("SuspendingClock.sleep(until:)") {
      try await RuntimeFunctions.sleepSuspending(RuntimeFunctions.suspendingNow() + duration, nil)
    },
    sleep("Clock.sleep(for:) of a ContinuousClock") { try await sleepByProtocol(ContinuousClock()) },
    sleep("Clock.sleep(for:) of a SuspendingClock") { try await sleepByProtocol(SuspendingClock()) },
  ]

  @inline(never)
  private static func sleepByProtocol(_ clock: some Clock<Duration>) async throws {
    try await clock.sleep(for: duration)
  }
}

#endif

/// The runtime's own functions, by their names: calls in this image by these names come to the functions above.
private enum RuntimeFunctions {
  static let addHandler = function("swift_task_addCancellationHandler", as: AddHandler.self).call
  static let removeHandler = function("swift_task_removeCancellationHandler", as: RemoveHandler.self).call

  #if NAPKIN_LIKE_APPLE || canImport(Darwin)
  static let yield = function("$sScTss5NeverORszABRs_rlE5yieldyyYaFZTu", as: Yield.self).call
  static let sleep = function("$sScTss5NeverORszABRs_rlE5sleepyys6UInt64VYaFZTu", as: Sleep.self).call
  static let sleepNanoseconds = function(
    "$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZTu", as: SleepNanoseconds.self
  ).call
  static let sleepContinuous = function(
    "$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKFTu", as: SleepContinuous.self
  ).call
  static let sleepSuspending = function(
    "$ss15SuspendingClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKFTu", as: SleepSuspending.self
  ).call
  static let continuousNow = function("$ss15ContinuousClockV3nowAB7InstantVvgZ", as: ContinuousNow.self).call
  static let suspendingNow = function("$ss15SuspendingClockV3nowAB7InstantVvgZ", as: SuspendingNow.self).call
  #endif

  // In a structure, where a function value has the convention that its type says. In a variable of a generic type it would have
  // another one.
  private struct AddHandler { let call: @Sendable (() -> Void) -> UnsafeRawPointer }
  private struct RemoveHandler { let call: @Sendable (UnsafeRawPointer) -> Void }
  #if NAPKIN_LIKE_APPLE || canImport(Darwin)
  private struct Yield { let call: @Sendable () async -> Void }
  private struct Sleep { let call: @Sendable (UInt64) async -> Void }
  private struct SleepNanoseconds { let call: @Sendable (UInt64) async throws -> Void }
  private struct SleepContinuous { let call: @Sendable (ContinuousClock.Instant, Duration?) async throws -> Void }
  private struct SleepSuspending { let call: @Sendable (SuspendingClock.Instant, Duration?) async throws -> Void }
  private struct ContinuousNow { let call: @Sendable () -> ContinuousClock.Instant }
  private struct SuspendingNow { let call: @Sendable () -> SuspendingClock.Instant }
  #endif

  /// A function value is the address of the function, or of the descriptor of an async one, and a context, which these do
  /// not have.
  private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
    guard let address = napkin_runtime_symbol(name, nil) else {
      preconditionFailure("NapkinTesting: \(name) of the Swift runtime cannot be found. Link the runtime dynamically.")
    }
    return unsafeBitCast((address, UnsafeMutableRawPointer?.none), to: type)
  }
}
