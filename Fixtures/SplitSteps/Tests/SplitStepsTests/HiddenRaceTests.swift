// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Races beside something that seems to order them, in FIFO order, in which each task runs in one piece; and sound twins.
@Suite struct HiddenRaceTests {
  private func isRace(_ body: @escaping @Sendable () async -> Void) async -> Bool {
    let exploration = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run(body)
    #expect(exploration.warnings == [])
    return exploration.failure?.diagnostics.map(\.kind) == [.dataRace]
  }

  /// Runs functions one after the other, each in a task.
  private func tasks(_ works: @escaping @Sendable (Counts) -> [@Sendable () -> Void]) -> @Sendable () async -> Void {
    {
      let counts = Counts()
      await withTaskGroup { group in
        for work in works(counts) { group.addTask { work() } }
      }
    }
  }

  @Test func `a lazy global that two tasks use does not order them`() async {
    let work: @Sendable (Counts) -> Void = { counts in
      Register.shared.note()
      counts.first += 1
      Register.shared.note()
    }
    #expect(await isRace(tasks { counts in [{ work(counts) }, { work(counts) }] }))
  }

  @Test func `the initialiser of a lazy global comes before all tasks that use it`() async {
    let body = tasks { _ in [{ use(Made.value.number) }, { use(Made.value.number) }] }
    #expect(await !isRace(body))
  }

  @Test func `a race on the end of a large copy is found`() async {
    let body = tasks { _ in
      let (from, to) = (Bytes(count: 10_000), Bytes(count: 10_000))
      return [
        { to.start.copyMemory(from: from.start, byteCount: 10_000) },
        { to.start.storeBytes(of: 1, toByteOffset: 9_000, as: UInt8.self) },
      ]
    }
    #expect(await isRace(body))
  }

  @Test func `a read under the writer's lock does not hide the write from a third task`() async {
    let lock = Mutex(())
    let body = tasks { counts in
      [
        { lock.withLock { _ in counts.first = 1 } }, { lock.withLock { _ in use(counts.first) } },
        { use(counts.first) },
      ]
    }
    #expect(await isRace(body))
  }

  @Test func `an access to a part does not hide the one to the whole`() async {
    let lock = Mutex(())
    let body = tasks { _ in
      let word = Bytes(count: 8)
      return [
        { lock.withLock { _ in word.start.storeBytes(of: 1, as: Int.self) } },
        { lock.withLock { _ in word.start.storeBytes(of: 2, as: UInt8.self) } },
        { word.start.storeBytes(of: 3, toByteOffset: 4, as: UInt8.self) },
      ]
    }
    #expect(await isRace(body))
  }

  // The two limits that the article on splitting names, so that it says no less than what is so.

  @Test(arguments: [true, false])
  func `a variable on a stack is compared but for the accesses of its own task`(own: Bool) async {
    let isFound = await isRace {
      let counts = Counts()
      counts.first = countOnStack(byItself: own)
    }
    #expect(isFound == !own)
  }

  @Test func `of five accesses that show different things one is forgotten`() async {
    // Each byte is written by a task of its own, and the last task writes the first byte again.
    func body(writers: Int) -> @Sendable () async -> Void {
      tasks { _ in
        let word = Bytes(count: 8)
        let writes = (0..<writers).map { byte -> @Sendable () -> Void in
          { word.start.storeBytes(of: 1, toByteOffset: byte, as: UInt8.self) }
        }
        return writes + [{ word.start.storeBytes(of: 2, as: UInt8.self) }]
      }
    }
    #expect(await isRace(body(writers: 4)))
    #expect(await !isRace(body(writers: 5)))
  }

  @Test func `two tasks that write where they may only read a read-write lock's data race`() async {
    let lock = ReadWriteLock()
    #expect(
      await isRace(tasks { counts in [{ lock.read { counts.first = 1 } }, { lock.read { counts.first = 2 } }] }))
    #expect(
      await !isRace(
        tasks { counts in
          [
            { lock.read { use(counts.first) } }, { lock.write { counts.first = 1 } },
            { lock.read { use(counts.first) } },
            { lock.write { counts.first = 2 } },
          ]
        }))
  }

  @Test func `a barrier that is left with a group has a concurrent queue for itself`() async {
    let exploration = await Explorer(executions: 300, seed: 1, shrinks: false).run {
      let counts = Counts()
      let queue = DispatchQueue(label: "readers", attributes: .concurrent)
      let group = DispatchGroup()
      queue.async(group: group) { use(counts.first) }
      queue.async(group: group, flags: .barrier) { counts.first += 1 }
      queue.async(group: group, execute: DispatchWorkItem(flags: .barrier) { counts.first += 1 })
      queue.async(group: group) { use(counts.first) }
      await withCheckedContinuation { continuation in
        group.notify(queue: queue) { continuation.resume() }
      }
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }

  @Test func `a queue of the system runs a barrier as any other block`() async {
    #expect(
      await isRace {
        let counts = Counts()
        let group = DispatchGroup()
        for _ in 0..<2 {
          group.enter()
          DispatchQueue.global().async(flags: .barrier) {
            counts.first += 1
            group.leave()
          }
        }
        await withCheckedContinuation { continuation in
          group.notify(queue: .global()) { continuation.resume() }
        }
      })
  }

  @Test func `a group waits for what is left to the main queue`() async {
    let exploration = await Explorer(executions: 300, seed: 1, shrinks: false).run {
      let counts = Counts()
      let group = DispatchGroup()
      DispatchQueue.main.async(group: group) { counts.first = 1 }
      await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
      }
      #expect(counts.first == 1)
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }
}

/// Counts in a variable on the stack without a lock: by a queue, and by this function itself or by another queue.
private func countOnStack(byItself: Bool) -> Int {
  var count = 0
  withUnsafeMutablePointer(to: &count) { pointer in
    nonisolated(unsafe) let pointer = pointer
    let queues = [DispatchQueue(label: "first"), DispatchQueue(label: "second")]
    queues[0].async { pointer.pointee += 1 }
    if byItself { pointer.pointee += 1 } else { queues[1].async { pointer.pointee += 1 } }
    for queue in queues { queue.sync {} }
  }
  return count
}

@inline(never) private func use(_ number: Int) {}

private final class Register: Sendable {
  static let shared = Register()
  func note() {}
}

private final class Made: @unchecked Sendable {
  static let value = Made()
  var number = 0
  init() { number = 1 }
}

private final class Bytes: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  init(count: Int) { start = .allocate(byteCount: count, alignment: 8) }
  deinit { start.deallocate() }
}

private final class ReadWriteLock: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  init() { pthread_rwlock_init(lock, nil) }
  deinit { lock.deallocate() }

  func read(_ work: () -> Void) {
    pthread_rwlock_rdlock(lock)
    work()
    pthread_rwlock_unlock(lock)
  }

  func write(_ work: () -> Void) {
    pthread_rwlock_wrlock(lock)
    work()
    pthread_rwlock_unlock(lock)
  }
}
