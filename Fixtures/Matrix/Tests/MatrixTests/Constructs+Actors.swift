// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// An actor that runs what it is given.
private actor Room {
  func run(_ work: Construct.Work) async throws { try await work() }
  func start(_ work: @escaping Construct.Work) -> Task<Void, any Error> { Task(name: "started") { try await work() } }
}

/// A global actor with the usual executor.
@globalActor private actor Kitchen {
  static let shared = Kitchen()
}

/// An executor of one actor, which hands its jobs to a queue.
private final class OnQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "counter")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An actor on a queue of its own.
private actor Counter {
  private let executor = OnQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func run(_ work: Construct.Work) async throws { try await work() }
}

/// An executor that hands its jobs to a queue.
private final class Preferred: TaskExecutor {
  private let queue = DispatchQueue(label: "preferred")
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A singleton, as apps have one.
private actor Shared {
  static let shared = Shared()
  func visit() {}
}

/// Ends on the main actor.
@MainActor private final class Leaving {
  private let task: Task<Void, Never>
  init() { task = Task { await pause() } }
  isolated deinit { task.cancel() }
}

@MainActor private func onMain(_ work: Construct.Work) async throws { try await work() }
@Kitchen private func inKitchen(_ work: Construct.Work) async throws { try await work() }
@concurrent private func anywhere(_ work: Construct.Work) async throws { try await work() }

private func isolated(to room: isolated Room, _ work: @Sendable () async throws -> Void) async throws {
  try await work()
}

nonisolated extension Construct {
  /// Each way to be on an actor or an executor.
  static let actors = [
    Construct("actor") { work in
      let room = Room()
      async let other: Void = room.run {}
      try await room.run(work)
      try await other
    },
    Construct("task of an actor", tasks: ["started"], .unstructured) { work in
      let task = await Room().start(work)
      await pause()
      try await task.value
    },
    Construct("isolated parameter") { work in
      let room = Room()
      async let other: Void = room.run {}
      try await isolated(to: room, work)
      try await other
    },
    Construct("main actor") { work in
      async let other: Void = onMain {}
      try await onMain(work)
      try await other
    },
    Construct("task on the main actor", tasks: ["mainer"], .unstructured) { work in
      let task = Task(name: "mainer") { @MainActor in try await work() }
      await pause()
      try await task.value
    },
    Construct("global actor") { work in
      async let other: Void = inKitchen {}
      try await inKitchen(work)
      try await other
    },
    Construct("task on a global actor", tasks: ["cook"], .unstructured) { work in
      let task = Task(name: "cook") { @Kitchen in try await work() }
      await pause()
      try await task.value
    },
    Construct("concurrent function") { work in
      async let other: Void = pause()
      try await anywhere(work)
      await other
    },
    Construct("actor to actor") { work in
      let (first, second) = (Room(), Room())
      async let other: Void = first.run { await pause() }
      try await first.run { try await second.run(work) }
      try await other
    },
    Construct("actor on a queue", .uncontrolled) { work in
      let counter = Counter()
      async let other: Void = pause()
      try await counter.run(work)
      await other
    },
    Construct("preferred executor", tasks: ["preferring"], .uncontrolled) { work in
      let executor = Preferred()
      let task = Task(name: "preferring", executorPreference: executor) { try await work() }
      await pause()
      try await task.value
    },
    Construct("preferred executor in a scope", .uncontrolled) { work in
      async let other: Void = pause()
      try await withTaskExecutorPreference(Preferred()) { try await work() }
      await other
    },
    Construct("preferred executor of a child", tasks: ["preferring"], .uncontrolled) { work in
      let executor = Preferred()
      try await withThrowingTaskGroup { group in
        group.addTask(name: "preferring", executorPreference: executor) { try await work() }
        try await group.waitForAll()
      }
    },
    Construct("singleton") { work in
      async let other: Void = Shared.shared.visit()
      await Shared.shared.visit()
      try await work()
      await other
    },
    Construct("isolated deinit") { work in
      _ = await Leaving()
      await pause()
      try await work()
    },
  ]
}
