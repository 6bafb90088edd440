// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

#if !NAPKIN_LIKE_APPLE && !canImport(Darwin)
@_spi(ExperimentalCustomExecutors) import _Concurrency
#endif

/// Each in a process of its own, since the self-test runs once a process.
@Suite struct SelfTestTests {
  #if os(macOS) || os(Linux)
  @Test func `every stage passes here`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run { SelfTest.run() }
      for finding in await SelfTest.findings where finding.reason != nil { fatalError("\(finding)") }
      let stages = await SelfTest.findings.map(\.stage).filter { $0 != .hooks }
      var expected: [SelfTest.Stage] = [.tasks, .mainActor, .clocks, .hops, .queues, .waits, .outside]
      #if NAPKIN_LIKE_APPLE || canImport(Darwin)
      expected.append(.realWaits)
      #endif
      precondition(stages == expected)
    }
  }

  @Test func `every stage passes while other work occupies the thread pool`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        DispatchQueue.global().async {
          let end = ContinuousClock.now + .seconds(5)
          while ContinuousClock.now < end {}
        }
      }
      await MainActor.run { SelfTest.run() }
      for finding in await SelfTest.findings where finding.reason != nil { fatalError("\(finding)") }
    }
  }

  @Test func `each stage is printed on request`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        setenv("NAPKIN_SELF_TEST", "1", 1)
        await MainActor.run { SelfTest.run(misreadsTasks: true) }
      })
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("  yes  a new task is handed over to the exploration\n"))
    #expect(
      output.contains(
        "  no   hops between actors are scheduling points: the runtime keeps its tasks in another way\n"))
  }

  @Test func `tasks of another layout make a warning`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run { SelfTest.run(misreadsTasks: true) }
      let exploration = await Explorer(executions: 1).run { await Task.yield() }
      precondition(exploration.failure == nil)
      precondition(
        exploration.warnings.first?.hasPrefix("Hops between actors are no scheduling points in this process") == true)
    }
  }

  @Test func `a wait that is not handed over makes a warning with its name`() async {
    await #expect(processExitsWith: .success) {
      let wait = SelfTest.Wait("a queue") {
        await withUnsafeContinuation { continuation in
          DispatchQueue.global().async {
            // An answer that is there before the task waits for it would not have to come back.
            usleep(200_000)
            continuation.resume()
          }
        }
      }
      await MainActor.run { SelfTest.run(waits: SelfTest.Wait.all + [wait]) }
      let exploration = await Explorer(executions: 1).run {}
      precondition(exploration.failure == nil)
      precondition(
        exploration.warnings.first?.hasPrefix("Not controlled in this process, and in real time: a queue.\n") == true)
    }
  }

  @Test func `a wait that never ends holds up the process for two seconds and no exploration`() async {
    await #expect(processExitsWith: .success) {
      let start = ContinuousClock.now
      let wait = SelfTest.Wait("for ever") { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      await MainActor.run { SelfTest.run(waits: [wait, wait]) }
      precondition(start.duration(to: .now) >= .seconds(2))
      let exploration = await Explorer(executions: 10).run {
        let one = Task { 1 }
        await Task.yield()
        let value = await one.value
        precondition(value == 1)
      }
      precondition(exploration.failure == nil)
    }
  }
  #endif

  #if NAPKIN_LIKE_APPLE || canImport(Darwin)
  #if os(macOS) || os(Linux)
  @Test func `a hook that is taken away is one issue`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        SelfTest.run(after: {
          let hook = dlsym(UnsafeMutableRawPointer(bitPattern: SelfTestTests.anyImage), "swift_task_enqueueGlobal_hook")
          hook?.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee = nil
        })
      }
      await SelfTestTests.expectNoControl("the runtime's hooks are this package's")
    }
  }
  #endif

  #if canImport(Darwin)
  static let anyImage = -2
  #else
  static let anyImage = 0
  #endif
  #else
  #if os(macOS) || os(Linux)
  @Test func `executors of another library are one issue`() async {
    await #expect(processExitsWith: .success) {
      _createExecutors(factory: OtherExecutors.self)
      await SelfTestTests.expectNoControl("a new task is handed over to the exploration")
    }
  }

  @Test func `a main executor of another library is one issue`() async {
    await #expect(processExitsWith: .success) {
      _ = OtherMainExecutor.defaultExecutor
      _createExecutors(factory: OtherMainExecutor.self)
      await SelfTestTests.expectNoControl("a hop to the main actor is handed over")
    }
  }
  #endif
  #endif

  static func expectNoControl(_ stage: String) async {
    let exploration = await Explorer(executions: 10).run { fatalError("it was run") }
    let messages = exploration.failure?.messages ?? []
    precondition(messages.count == 1, "\(messages)")
    precondition(messages[0].hasPrefix("NapkinTesting cannot take control of Swift Concurrency"), messages[0])
    precondition(messages[0].contains("What was tried: \(stage)."), messages[0])
    let parallel = await Explorer(executions: 2, strategy: .parallel).run { await Task.yield() }
    precondition(parallel.failure == nil, parallel.description)
  }
}

#if !NAPKIN_LIKE_APPLE && !canImport(Darwin)
private enum OtherExecutors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
  static var defaultExecutor: any TaskExecutor { PlatformExecutorFactory.defaultExecutor }
}

private enum OtherMainExecutor: ExecutorFactory {
  static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
  static let defaultExecutor: any TaskExecutor = Task.defaultExecutor
}
#endif
