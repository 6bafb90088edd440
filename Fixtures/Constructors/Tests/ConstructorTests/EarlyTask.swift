// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing

// Before all constructors of C, which have a priority of 101 or more, or none.
@section(".init_array.00090") @used
private let startFirst: @convention(c) () -> Void = { EarlyTask.first.run() }

// Among those of NapkinTesting, where the linker puts it.
@section(".init_array") @used
private let startAnywhere: @convention(c) () -> Void = { EarlyTask.anywhere.run() }

/// A task that runs to its end while the process's constructors run, through all that NapkinTesting takes over.
final class EarlyTask: Sendable {
  static let first = EarlyTask()
  static let anywhere = EarlyTask()

  /// The steps that the task has done in time.
  let done = Mutex<[String]>([])

  private actor Cell {
    private var value = 0
    func add(_ number: Int) async -> Int {
      await Task.yield()
      value += number
      return value
    }
  }

  fileprivate func run() {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      await self.work()
      isOver.signal()
    }
    // This thread runs no job of the task, which is no job of the main actor.
    if isOver.wait(timeout: .now() + .seconds(120)) == .timedOut { note("timed out") }
  }

  private func work() async {
    let cell = Cell()
    async let one = cell.add(1)
    _ = await (one, cell.add(1))
    note("hops")
    await Task { await Task.yield() }.value
    note("yields")
    try? await Task.sleep(nanoseconds: 1_000)
    try? await Task.sleep(for: .microseconds(1))
    note("sleeps")
    await sleep(by: ContinuousClock(), .microseconds(1))
    await sleep(by: SuspendingClock(), .microseconds(1))
    note("sleeps by clocks")
    withoutActuallyEscaping({}, do: { $0() })
    note("calls a closure that does not escape")
    let task = Task { try? await Task.sleep(for: .seconds(60)) }
    task.cancel()
    await task.value
    note("cancels")
    Attachment.record("early", named: "early.txt")
    note("records an attachment")
  }

  @inline(never)
  private func sleep<C: Clock>(by clock: C, _ duration: C.Duration) async {
    try? await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
  }

  private func note(_ step: String) { done.withLock { $0.append(step) } }
}
