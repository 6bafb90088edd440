// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

// Each test hangs. The comment `// names` at a line says that the report has to name it.

private let never = Task<Void, Never> { try? await Task.sleep(for: .seconds(3_600)) }

private actor Door {
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }  // names: pass
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
  }
}

/// Two clerks that each wait for what the other one gives last.
private actor Clerk {
  let door = Door()

  func trade(with other: Clerk) async {
    await other.door.pass()  // names: circle
    await door.open()
  }
}

private final class Box: Sendable {
  let task = Mutex<Task<Void, Never>?>(nil)
}

@Suite struct HangTests {
  @Test func twoActors() async {
    let ada = Clerk()
    let ben = Clerk()
    async let first: Void = ada.trade(with: ben)
    async let second: Void = ben.trade(with: ada)
    _ = await (first, second)  // names: twoActors
  }

  @Test func circleOfTasks() async {
    let box = Box()
    let started = Door()
    let first = Task {
      await started.pass()
      await box.task.withLock { $0 }?.value  // names: circleOfTasks
    }
    box.task.withLock { $0 = Task { await first.value } }  // names: circleOfTasks
    await started.open()
    await first.value
  }

  @Test func lostContinuation() async {
    let door = Door()
    await door.pass()  // names: lostContinuation pass
  }

  @Test func blockedPool() async {
    let semaphore = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { wait(for: semaphore) }
      }
      group.addTask { _ = semaphore.signal() }
    }
  }

  @Test func streamThatNeverEnds() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.yield(1)
    for await _ in stream {}  // names: streamThatNeverEnds
    continuation.finish()
  }

  @Test func deafChild() async {
    await withTaskGroup(of: Void.self) { group in  // names: deafChild
      // Children that are added later are cancelled before they begin.
      group.cancelAll()
      group.addTask(name: "deaf") {
        while !Task.isCancelled { await never.value }
        await never.value  // names: deafChild
      }
      group.addTask {}
    }
  }

  @MainActor @Test func mainActor() async {
    let semaphore = DispatchSemaphore(value: 0)
    Task { @MainActor in _ = semaphore.signal() }
    wait(for: semaphore)
    await Task.yield()
  }

  @Test func sleepOfAnHour() async throws {
    try await Task.sleep(for: .seconds(3_600))  // names: sleepOfAnHour
  }

  @Test func confirmationThatWaits() async {
    let door = Door()
    await confirmation { confirm in
      await door.pass()  // names: confirmationThatWaits
      confirm()
    }
  }

  @Test func valueOfATask() async {
    let load = Task(name: "load") { await never.value }  // names: valueOfATask
    await load.value  // names: valueOfATask
  }
}

/// Hangs of threads that a look from outside may wake, or that wait for others.
@Suite struct ThreadTests {
  @Test func pollOfAnHour() {
    let count = poll(nil, 0, 3_600_000)  // names: pollOfAnHour
    #expect(count == 0)
  }

  @Test(arguments: [7]) func oneOfTwoSuites(number: Int) async {
    await Task(name: "two\nlines \u{1b}[31m") { await never.value }.value  // names: oneOfTwoSuites
  }

  @Test func yieldsToABlockedPool() async {
    let semaphore = DispatchSemaphore(value: 0)
    for _ in 0..<64 { Task { wait(for: semaphore) } }
    while !Task.isCancelled { await Task.yield() }  // names: yieldsToABlockedPool
    semaphore.signal()
  }

  @Test func computesForAnHour() {
    var sum = 0
    while sum >= 0 { sum = total(to: sum & 0xff) }  // names: computesForAnHour
  }
}

/// Has a test with the name of another one.
@Suite struct NamesakeTests {
  @Test(arguments: [8]) func oneOfTwoSuites(number: Int) async { await never.value }
}

@Suite struct ExplainedTests {
  @Test(.explainsHang(after: .seconds(1))) func explained() async throws {
    try await Task.sleep(for: .seconds(3_600))
  }

  @Test(.explainsHang(after: .seconds(30))) func isFast() async throws {
    try await Task.sleep(for: .milliseconds(10))
  }

  @Test(.explainsHang(after: .zero)) func isRefused() {}
}

private func total(to most: Int) -> Int { (0...most + 1_000_000).reduce(0, +) }

private func wait(for semaphore: DispatchSemaphore) {
  semaphore.wait()  // names: blockedPool mainActor
}
