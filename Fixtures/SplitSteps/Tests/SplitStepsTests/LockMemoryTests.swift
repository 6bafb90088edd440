// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private protocol InPlace: AnyObject, Sendable {
  init()
  func with(_ work: () -> Void)
}

private final class MutexInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  func with(_ work: () -> Void) {
    pthread_mutex_lock(&mutex)
    work()
    pthread_mutex_unlock(&mutex)
  }
}

private final class TriedInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  init() { pthread_mutex_init(&mutex, nil) }
  deinit { pthread_mutex_destroy(&mutex) }
  func with(_ work: () -> Void) {
    while pthread_mutex_trylock(&mutex) != 0 { sched_yield() }
    work()
    pthread_mutex_unlock(&mutex)
  }
}

private final class ReadWriteLockInPlace: InPlace, @unchecked Sendable {
  private var lock = pthread_rwlock_t()
  func with(_ work: () -> Void) {
    pthread_rwlock_wrlock(&lock)
    work()
    pthread_rwlock_unlock(&lock)
  }
}

private final class SpinLockInPlace: InPlace, @unchecked Sendable {
  private var lock = pthread_spinlock_t()
  init() { pthread_spin_init(&lock, 0) }
  func with(_ work: () -> Void) {
    pthread_spin_lock(&lock)
    work()
    pthread_spin_unlock(&lock)
  }
}

private final class SemaphoreInPlace: InPlace, @unchecked Sendable {
  private var semaphore = sem_t()
  init() { sem_init(&semaphore, 0, 1) }
  func with(_ work: () -> Void) {
    sem_wait(&semaphore)
    work()
    sem_post(&semaphore)
  }
}

private final class ConditionInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var condition = pthread_cond_t()
  private var isBusy = false
  func with(_ work: () -> Void) {
    pthread_mutex_lock(&mutex)
    while isBusy { pthread_cond_wait(&condition, &mutex) }
    isBusy = true
    pthread_mutex_unlock(&mutex)
    work()
    pthread_mutex_lock(&mutex)
    isBusy = false
    pthread_mutex_unlock(&mutex)
    pthread_cond_broadcast(&condition)
  }
}

private final class ClosureInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  func with(_ work: () -> Void) {
    withUnsafeMutablePointer(to: &mutex) { _ = pthread_mutex_lock($0) }
    work()
    withUnsafeMutablePointer(to: &mutex) { _ = pthread_mutex_unlock($0) }
  }
}

private func lock(_ mutex: inout pthread_mutex_t) { pthread_mutex_lock(&mutex) }
private func unlock(_ mutex: inout pthread_mutex_t) { pthread_mutex_unlock(&mutex) }
private final class FunctionInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  func with(_ work: () -> Void) {
    lock(&mutex)
    work()
    unlock(&mutex)
  }
}

private final class OnceInPlace: InPlace, @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var once = pthread_once_t()
  func with(_ work: () -> Void) {
    pthread_once(&once) {}
    pthread_mutex_lock(&mutex)
    work()
    pthread_mutex_unlock(&mutex)
  }
}

nonisolated(unsafe) private var globalMutex = pthread_mutex_t()
private final class GlobalInPlace: InPlace, @unchecked Sendable {
  func with(_ work: () -> Void) {
    pthread_mutex_lock(&globalMutex)
    work()
    pthread_mutex_unlock(&globalMutex)
  }
}

/// Locks of the C library in properties, which are handed to it by `&`.
@Suite struct LockMemoryTests {
  private static let locks: [any InPlace.Type] = [
    MutexInPlace.self, TriedInPlace.self, ReadWriteLockInPlace.self, SpinLockInPlace.self, SemaphoreInPlace.self,
    ConditionInPlace.self, ClosureInPlace.self, OnceInPlace.self, FunctionInPlace.self,
    GlobalInPlace.self,
  ]

  private func twice(_ work: @escaping @Sendable (Counts) -> Void) async -> Exploration {
    await Explorer(executions: 500, seed: 1, shrinks: false).run {
      let counts = Counts()
      async let one: Void = work(counts)
      async let two: Void = work(counts)
      _ = await (one, two)
    }
  }

  @Test(arguments: locks)
  private func `the memory of a lock is the lock's own`(_ type: any InPlace.Type) async {
    let exploration = await twice { [lock = type.init()] counts in
      lock.with { counts.first += 1 }
      lock.with { counts.first += 1 }
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
    #expect((exploration.preemptions ?? 0) > 0)
  }

  @Test(arguments: locks)
  private func `a race beside a lock is the one that is reported`(_ type: any InPlace.Type) async {
    let exploration = await twice { [lock = type.init()] counts in
      lock.with { counts.first += 1 }
      counts.second += 1
    }
    let text = exploration.failure?.messages.joined() ?? ""
    let line = "writes at LockMemoryTests.swift:\(#line - 3) in closure in"
    #expect(text.ranges(of: line).count == 2, "\(text)")
  }
}
