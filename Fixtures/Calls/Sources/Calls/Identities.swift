// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

private enum Local { @TaskLocal static var number = 0 }

private final class Counter {
  var value = 0
  var other = 0
}

private actor Account {
  private var isInside = false
  private var visits = 0

  func visit() throws {
    if isInside { throw Broken(description: "two jobs in one actor") }
    isInside = true
    defer { isInside = false }
    callsOfEachKind()
    assertIsolated()
    visits += 1
  }
}

@MainActor private final class Screen {
  private var isInside = false

  func visit() throws {
    if isInside { throw Broken(description: "two jobs on the main actor") }
    isInside = true
    defer { isInside = false }
    callsOfEachKind()
    MainActor.assertIsolated()
    if !Thread.isMainThread { throw Broken(description: "the main actor has left its thread") }
  }
}

/// Calls at which a task may be stopped.
private func callsOfEachKind() {
  _ = Task.isCancelled
  let task = Task.detached { Task.isCancelled }
  task.cancel()
  withUnsafeCurrentTask { _ = $0?.isCancelled }
  try? Task.checkCancellation()
}

/// Uses a stack of four megabytes below a call.
private func deep(_ levels: Int) -> Int {
  withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { bytes in
    bytes[0] = 1
    if levels == 0 {
      callsOfEachKind()
      return 1
    }
    return deep(levels - 1) + Int(bytes[0])
  }
}

private func modify(_ value: inout Int) {
  let before = value
  callsOfEachKind()
  value = before + 1
}

extension Sound {
  /// What a task is and has, before a call and after it.
  static let identities: [(name: String, body: Body)] = [
    ("an actor has one job", { try await many(with: Account()) { try await $0.visit() } }),
    ("the main actor has one job, on its thread", { try await many(with: Screen()) { try await $0.visit() } }),
    (
      "thread, task, task-local and priority stay",
      {
        try await many(with: ()) { _ in
          let number = Int.random(in: 1...1_000)
          try Local.$number.withValue(number) {
            let thread = pthread_self()
            let task = withUnsafeCurrentTask { $0?.hashValue }
            errno = 7
            callsOfEachKind()
            guard thread == pthread_self() else { throw Broken(description: "another thread") }
            guard task == withUnsafeCurrentTask(body: { $0?.hashValue }) else {
              throw Broken(description: "another task")
            }
            guard number == Local.number else { throw Broken(description: "another task-local value") }
          }
        }
      }
    ),
    (
      "exclusive accesses",
      {
        try await many(with: ()) { _ in
          let counter = Counter()
          modify(&counter.value)
          modify(&counter.other)
          if counter.value != 1 || counter.other != 1 { throw Broken(description: "lost") }
        }
      }
    ),
    (
      "a deep stack",
      {
        try await many(with: ()) { _ in
          if deep(1_000) != 1_001 { throw Broken(description: "the stack is broken") }
        }
      }
    ),
    (
      "forty tasks",
      {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<40 { group.addTask { callsOfEachKind() } }
        }
      }
    ),
    (
      "tasks that end while others are stopped",
      {
        try await many(with: ()) { _ in
          let tasks = (0..<4).map { number in Task.detached { number } }
          var sum = 0
          for task in tasks { sum += await task.value }
          if sum != 6 { throw Broken(description: "another sum") }
        }
      }
    ),
    (
      "handlers and their tasks",
      {
        try await many(with: ()) { _ in
          let count = Count()
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
              group.addTask {
                await withTaskCancellationHandler {
                  callsOfEachKind()
                } onCancel: {
                  count.both()
                }
              }
            }
            group.cancelAll()
          }
          try count.check()
        }
      }
    ),
  ]

  private static func many<Subject: Sendable>(
    with subject: Subject, _ body: @escaping @Sendable (Subject) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await body(subject) } }
      try await group.waitForAll()
    }
  }
}
