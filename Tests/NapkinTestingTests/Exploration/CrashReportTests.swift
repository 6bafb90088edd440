// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

/// Traps in the interleavings in which an update is lost.
@Sendable private func trapping() async {
  let cell = Cell()
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { await cell.set(await cell.value + 1) } }
  }
  let value = await cell.value
  precondition(value == 2)
}

/// Recurses until the stack is full.
@Sendable @_optimize(none) private func sum(to number: Int) -> Int { number == 0 ? 0 : number &+ sum(to: number - 1) }

@Sendable private func writeToClosedPipe() {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  close(ends[0])
  write(ends[1], "x", 1)
}

/// Blocks its thread for ever.
@Sendable private func waitForByte() {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  var byte: UInt8 = 0
  read(ends[0], &byte, 1)
}

@Suite struct CrashReportTests {
  #if os(macOS) || os(Linux)
  @Test func `a crash report says how to run the execution again, and its token crashes again`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1_000, strategy: .random, seed: 7, trapping)
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: the process ends with signal"))
    let token = try #require(text.firstMatch(of: /\.replay\("(nk1\.[^"]+)"\)/)).output.1
    await #expect(processExitsWith: .failure) { [token = String(token) as String] in
      await explore(strategy: .replay(token), trapping)
    }
  }

  @Test func `a continuation that is resumed twice is named, and no precondition`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        await withCheckedContinuation { continuation in
          continuation.resume()
          continuation.resume()
        }
      }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("\nCrash: a continuation is resumed more than once.\n"), "\(text)")
    #expect(!text.contains("a precondition failed"), "\(text)")
  }

  @Test func `no process of its own is promised where none can be started`() {
    #expect(CrashReport.advice(canBeIsolated: true).hasPrefix("With isolated: true, "))
    #expect(CrashReport.advice(canBeIsolated: false).hasPrefix("As a @Test with .interleavings(…, isolated: true)"))
  }

  @Test func `the report of a stack overflow says how to run the execution again`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) { _ = sum(to: .max) }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: the stack overflows (signal 11)."))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test func `a job that never suspends is reported as a hang`() async throws {
    let hang = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      setenv("NAPKIN_HANG", "1", 1)
      await explore(executions: 1) { waitForByte() }
    }
    let text = String(decoding: try #require(hang).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Hang: a job has run for more than 1 seconds without suspending."))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the stream has another name"))
  func `a report does not wait for a lock that the held thread has`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        DispatchQueue.global().async {
          usleep(100_000)
          preconditionFailure("a queue")
        }
        Output.lock()
        // A second of the processor, by a clock that is not simulated.
        let end = clock() + 1_000_000
        while clock() < end {}
        Output.unlock()
        preconditionFailure("a task")
      }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("NAPKIN_REPLAY=nk1."), "\(text)")
  }

  /// The lock of the stream that a report gives back what it has held.
  private enum Output {
    @_silgen_name("flockfile") private static func lock(_ file: OpaquePointer)
    @_silgen_name("funlockfile") private static func unlock(_ file: OpaquePointer)
    private static var stream: OpaquePointer { dlsym(nil, "stdout")!.load(as: OpaquePointer.self) }
    static func lock() { lock(stream) }
    static func unlock() { unlock(stream) }
  }

  @Test func `what the kit does in the middle of a job counts as no hang`() async {
    await #expect(processExitsWith: .success) {
      setenv("NAPKIN_HANG", "1", 1)
      await explore(executions: 1) {
        OwnWork.run {
          // Three seconds of the processor, by a clock that is not simulated.
          let end = clock() + 3_000_000
          while clock() < end {}
        }
      }
    }
  }

  @Test func `a body that exits does not end the run as one that passed`() async throws {
    let ended = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      await explore(executions: 1) { exit(0) }
    }
    let text = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.exits(with: 0)))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the function cannot be replaced"))
  func `nor does one that leaves without the handlers of an exit`() async throws {
    let ended = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      await explore(executions: 1) { _exit(0) }
    }
    let text = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.exits(with: 0)))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test func `nor does one whose queue exits while the body runs`() async throws {
    let ended = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        DispatchQueue.global().async { exit(0) }
        while true { await Task.yield() }
      }
    }
    let text = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.exits(with: 0)))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "whose work a queue runs is not known"))
  func `a trap on a queue is reported with the execution that waits for it`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
          DispatchQueue(label: "printer").async { preconditionFailure("out of paper") }
        }
      }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: the process ends with signal"))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
    #expect(!text.contains("a thread that no execution controls"))
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "threads are tasks of the schedule where steps are split"))
  func `a trap on a thread of which nothing is known is reported with what ran meanwhile`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        var thread = pthread_t(bitPattern: 0)
        pthread_create(&thread, nil, { _ in preconditionFailure("out of paper") }, nil)
        while true { await Task.yield() }
      }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("It is on a thread that no execution controls"))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  // The C library's module alone has no name for the default action of a signal; on Apple's platforms only an overlay has.
  #if os(Linux)
  @Test func `a write to a pipe that nothing reads is reported as a crash`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      signal(SIGPIPE, SIG_DFL)
      await explore(executions: 1) { writeToClosedPipe() }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: a pipe or a socket is written to that has no reader (signal 13)."))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test func `a program that ignores the signal of a closed pipe goes on`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      await explore(executions: 1) { writeToClosedPipe() }
    }
  }
  #endif

  @Test(
    .enabled(if: PlatformWays.replaceLibraryFunctions, "the function cannot be replaced"),
    .disabled(if: Instrumentation.splitsSteps, "a block that waits is a task that waits where steps are split"))
  func `a block that does not return to the main queue is reported as a hang`() async throws {
    let hang = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      setenv("NAPKIN_HANG", "1", 1)
      await explore(executions: 1) {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          DispatchQueue.main.async {
            DispatchSemaphore(value: 0).wait()
            continuation.resume()
          }
        }
      }
    }
    let text = String(decoding: try #require(hang).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Hang: a job has run for more than 1 seconds without suspending."))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  private static func exits(with status: Int) -> String {
    "Crash: the code under test ends the process\(PlatformWays.tellExitStatus ? ", with exit status \(status)" : "")."
  }

  /// The C library runs the handlers of a second exit that the first one has left, and ends the process with its status.
  @Test(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
  func `an exit by a second thread waits for the report of the first one`() async throws {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) {
        for _ in 0..<3 { DispatchQueue(label: "leaver").async { exit(0) } }
        while true { await Task.yield() }
      }
    }
    let text = String(decoding: try #require(end).standardErrorContent, as: UTF8.self)
    #expect(text.contains(Self.exits(with: 0)))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "a handler of exits gets no status"))
  func `an exit keeps the status that it has`() async {
    await #expect(processExitsWith: .exitCode(3)) { await explore(executions: 1) { exit(3) } }
  }
  #endif

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "whose work a queue runs is not known"))
  func `the execution that has left work to a queue or a thread hears its issues`() async {
    func failure(_ leave: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) async -> [String]? {
      await Explorer(executions: 3).run {
        await withCheckedContinuation { continuation in
          leave {
            Issue.record("out of paper")
            continuation.resume()
          }
        }
      }.failure?.messages
    }
    #expect(await failure { work in DispatchQueue(label: "printer").async(execute: work) } == ["out of paper"])
    #expect(await failure { work in Thread(block: work).start() } == ["out of paper"])
    #expect(await failure { work in DispatchGroup().notify(queue: .global(), execute: work) } == ["out of paper"])
    #expect(CurrentExecution.hearing == nil)
  }

  @Test(arguments: [
    (9, "the process is killed (signal 9)"), (13, "a pipe or a socket is written to that has no reader (signal 13)"),
    (15, "the process is asked to end (signal 15)"), (4, "the process ends with signal 4"),
  ])
  func `a signal is named for what it is`(_ signal: Int, _ text: String) {
    let diagnostic = Diagnostic.signal(signal, overflows: false)
    #expect(diagnostic.summary == "Crash: \(text).")
    #expect(diagnostic.likelyCause?.contains("precondition") == (signal == 4))
  }
}
