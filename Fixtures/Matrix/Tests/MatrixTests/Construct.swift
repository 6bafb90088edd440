// SPDX-License-Identifier: Apache-2.0

/// A way to start, await, cancel or suspend, around code that another part of the cell gives.
nonisolated struct Construct: Sendable {
  typealias Work = @Sendable () async throws -> Void
  typealias Step = @Sendable () throws -> Void

  /// The code around the inner code, which may suspend or not.
  enum Around: Sendable {
    case suspending(@Sendable (@escaping Work) async throws -> Void)
    case step(@Sendable (@escaping Step) async throws -> Void)
  }

  /// A property that changes what a report of its cell may say.
  enum Property: String, Sendable {
    /// It starts no task and never suspends.
    case still
    /// It leaves the inner code to a thread or a queue, which no exploration controls.
    case uncontrolled
    /// It starts a task without a parent, which inherits no executor, and runs the inner code in it.
    case unstructured
    /// It drops an error of the inner code.
    case swallows
    /// It draws a value.
    case draws
    /// It needs an execution, so it is nowhere else.
    case needsExecution
    /// It cancels the inner code's task.
    case cancels
  }

  let name: String
  /// The names of the tasks that the inner code runs in or under.
  let tasks: [String]
  let properties: Set<Property>
  let around: Around

  /// A construct whose inner code may suspend.
  init(
    _ name: String, tasks: [String] = [], _ properties: Property...,
    around: @escaping @Sendable (@escaping Work) async throws -> Void
  ) {
    (self.name, self.tasks, self.properties) = (name, tasks, Set(properties))
    self.around = .suspending(around)
  }

  /// A construct whose inner code does not suspend.
  init(
    step name: String, tasks: [String] = [], _ properties: Property...,
    around: @escaping @Sendable (@escaping Step) async throws -> Void
  ) {
    (self.name, self.tasks, self.properties) = (name, tasks, Set(properties))
    self.around = .step(around)
  }

  static let all = tasks + groups + awaits + actors + streams + times + locks + threads + others
}

/// A place to suspend at, as code that asks a service has one.
actor Spot {
  private var visits = 0
  func visit() { visits += 1 }
}

/// Suspends on an actor, and by a yield.
func pause() async {
  await Spot().visit()
  await Task.yield()
}
