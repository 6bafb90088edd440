// SPDX-License-Identifier: Apache-2.0

// Installed before `main`, when no task exists that could see a half-written executor.
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import PumpRuntime

@section(".init_array") @used
let installPumpExecutors: @convention(c) () -> Void = { _createExecutors(factory: PumpExecutors.self) }

enum PumpExecutors: ExecutorFactory {
  private static let global = PumpGlobalExecutor(PlatformExecutorFactory.defaultExecutor)
  private static let main = PumpMainExecutor(PlatformExecutorFactory.mainExecutor)

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { global }

  @inline(__always)
  static var pump: Pump? { napkin_is_exploring_thread() ? Pump.current : nil }
}

// Unchecked: made by the platform to be used from all threads; its protocol does not say so.
final class PumpGlobalExecutor: TaskExecutor, PumpExecutor, @unchecked Sendable {
  private let platform: any TaskExecutor
  let isMain = false

  init(_ platform: any TaskExecutor) { self.platform = platform }

  func enqueue(_ job: consuming ExecutorJob) {
    if let pump = PumpExecutors.pump {
      pump.enqueue(pointer(to: job), onMain: false)
    } else {
      platform.enqueue(job)
    }
  }
}

// As above.
final class PumpMainExecutor: MainExecutor, PumpExecutor, @unchecked Sendable {
  private let platform: any MainExecutor
  let isMain = true

  init(_ platform: any MainExecutor) { self.platform = platform }

  var isMainExecutor: Bool { true }
  func run() throws { try platform.run() }
  func stop() { platform.stop() }

  func checkIsolated() {
    if PumpExecutors.pump == nil { platform.checkIsolated() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    if let pump = PumpExecutors.pump {
      pump.enqueue(pointer(to: job), onMain: true)
    } else {
      platform.enqueue(job)
    }
  }
}

protocol PumpExecutor: SchedulingExecutor {
  var isMain: Bool { get }
}

extension PumpExecutor {
  func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
    guard let pump = PumpExecutors.pump, let delay = clock.now.duration(to: instant) as? Duration else {
      preconditionFailure("bare-pump: a sleep outside the pump")
    }
    pump.enqueue(pointer(to: job), after: delay, onMain: isMain)
  }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
    guard let pump = PumpExecutors.pump, let delay = delay as? Duration else {
      preconditionFailure("bare-pump: a sleep outside the pump")
    }
    pump.enqueue(pointer(to: job), after: delay, onMain: isMain)
  }
}

private func pointer(to job: consuming ExecutorJob) -> UnsafeMutableRawPointer {
  unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self)
}
