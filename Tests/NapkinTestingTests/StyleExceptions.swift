// SPDX-License-Identifier: Apache-2.0

/// A file that may break a rule, and why it must.
struct StyleException: Sendable {
  enum Kind: Sendable {
    /// Reads a clock or draws at random.
    case chance
    /// Uses `@unchecked`, `nonisolated(unsafe)`, `@exclusivity(unchecked)`, SPI, `@_silgen_name`, `unsafeBitCast`, `dlsym` or a
    /// section of its own.
    case unchecked
  }

  let path: String
  let kind: Kind
  let reason: String
}

enum StyleExceptions {
  private static let openClass = "an open class cannot be Sendable otherwise; a subclass answers for what it adds"
  private static let everyStep = "the exploring thread alone has access, and checking for it costs a fifth of a step"
  private static let everyExecution = "the exploring thread alone has access, several times in each execution"
  private static let address =
    "C knows a task, a job, an executor or a type by its address, which Swift has no name for"

  /// Short, and kept so: a file that no longer needs its line here fails the test.
  static let all = [
    StyleException(
      path: "Sources/Napkin/Observing/TreeObserver.swift",
      kind: .chance,
      reason: "what has left a tree has real time to be released, before a running app's observer reports it"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/Explorer.swift",
      kind: .unchecked,
      reason: "the benchmarks, a package of their own, name strategies that are no choice of a test"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/Isolation/WorkerProcess.swift",
      kind: .unchecked,
      reason: "a process has C handles, which one command at a time uses"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Attachments.c",
      kind: .unchecked,
      reason: "what records an attachment is replaced, and the testing library's own function has to be found"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/System.c",
      kind: .unchecked,
      reason: "finds the system's own functions for all that stands in for one of them"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Splitting/CRuntime/QueueWords.c",
      kind: .unchecked,
      reason: "finds out where dispatch keeps the width of a queue by the attribute of a concurrent one"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/TestCase.c",
      kind: .unchecked,
      reason: "where XCTest records a failure is replaced, and XCTest's own function has to be found"
    ),
    StyleException(path: "Sources/Napkin/Components/Builder.swift", kind: .unchecked, reason: openClass),
    StyleException(path: "Sources/Napkin/Components/Component.swift", kind: .unchecked, reason: openClass),
    StyleException(path: "Sources/Napkin/Components/ComponentizedBuilder.swift", kind: .unchecked, reason: openClass),
    StyleException(
      path: "Sources/Napkin/Components/UniqueComponentCheck.swift",
      kind: .unchecked,
      reason: "a weak reference that only says whether its object is alive"
    ),
    StyleException(
      path: "Sources/Napkin/Components/MultiStageComponentizedBuilder.swift", kind: .unchecked, reason: openClass),
    StyleException(
      path: "Sources/Napkin/Tree/CallbackFrame.swift",
      kind: .unchecked,
      reason: "a callback may be cancelled before its creator has its task, whose reference to itself is not Sendable"
    ),
    StyleException(
      path: "Sources/Napkin/Tree/RouterNode.swift",
      kind: .unchecked,
      reason: "a node refers to the router that has it, which it is asked for from any thread while that is attached"
    ),
    StyleException(
      path: "Sources/Napkin/Tree/SlotPlace.swift",
      kind: .unchecked,
      reason: "a slot learns of a child that leaves in a step of the driver, which is on the main actor"
    ),
    StyleException(
      path: "Sources/Napkin/Components/SharedInstances.swift",
      kind: .unchecked,
      reason: "an instance of any type is written once under a lock, and read without one after that"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Doubles/MockBuilder.swift",
      kind: .unchecked,
      reason: openClass
    ),
    StyleException(
      path: "Sources/NapkinTesting/Doubles/MockComponent.swift",
      kind: .unchecked,
      reason: openClass
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Execution/XCTestBridge.swift",
      kind: .unchecked,
      reason:
        "XCTest is looked up by name where it does not listen to Swift Testing: linking it would force it on every user"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Clock.c",
      kind: .unchecked,
      reason: "stands in for the system's clock, and has to find the system's own"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Clock.c",
      kind: .chance,
      reason: "it is what makes the clock's answers a matter of the execution"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Waits.c",
      kind: .chance,
      reason: "it is what makes waiting for a time a matter of the execution"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Outside.c",
      kind: .unchecked,
      reason: "stands in for functions of dispatch, and has to find dispatch's own"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Switch.c",
      kind: .unchecked,
      reason: "stands in for one of the runtime's functions, and has to find the runtime's own"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/ControlledExecutors.swift",
      kind: .unchecked,
      reason: "custom executors are SPI of the toolchain, and the platform's own do not say that they are Sendable"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime/Hooks.c",
      kind: .unchecked,
      reason: "the runtime's hooks are variables that not every runtime has, so they are found by name"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/Interposed.swift",
      kind: .chance,
      reason: "stands in for the clocks where the system's cannot be replaced, and has to ask the runtime's own"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/CrashReport.swift",
      kind: .unchecked,
      reason: "a crash is reported on the exploring thread, from a job of any actor"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Scheduling/Scheduler.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/Symbolicator.swift",
      kind: .unchecked,
      reason: "a backtrace of addresses that were not captured as one can be made by SPI of the toolchain only"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Splitting/SharedState.swift",
      kind: .unchecked,
      reason: "an object is known by an address in it, and its fields with their offsets by SPI of the toolchain only"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/SelfTest.swift",
      kind: .chance,
      reason: "tries whether yields and sleeps are taken, before the first execution"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Execution/SimulatedExecution.swift",
      kind: .unchecked,
      reason: "handed out on the exploring thread alone, where a lock a draw would cost more than the draw"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Execution/SimulatedExecution.swift",
      kind: .chance,
      reason: "the one place that yields: under exploration the job that comes of it is the scheduler's"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/ParallelRun.swift",
      kind: .chance,
      reason: "on the real thread pool only real time lets others get on; no verdict depends on how long it was"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Time/SimulatedClock.swift",
      kind: .chance,
      reason: "outside an exploration the clock is the real one; inside, its sleeping goes through the scheduler"
    ),
    StyleException(
      path: "Sources/Napkin/Observing/WeakProperties.swift",
      kind: .unchecked,
      reason: "asks the runtime which stored properties are weak, which no mirror says"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/Search.swift",
      kind: .unchecked,
      reason: everyExecution
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Outside/OutsideWait.swift",
      kind: .unchecked,
      reason: everyExecution
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Exploration/ExecutionHistory.swift",
      kind: .unchecked,
      reason: everyExecution
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Execution/AttachmentCapture.swift",
      kind: .unchecked,
      reason: "defines what records an attachment, and calls the testing library's own function by another name"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Outside/OtherImages.swift",
      kind: .unchecked,
      reason: address
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Outside/RealWaits.swift",
      kind: .unchecked,
      reason: address
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/Interposed.swift",
      kind: .unchecked,
      reason: "defines functions of the runtime by their names, and finds the runtime's own by address"
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/Seam.swift",
      kind: .unchecked,
      reason: address
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Runtime/SelfTest.swift",
      kind: .unchecked,
      reason: address
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Scheduling/Readiness.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Strategies/Guided.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Strategies/PCT.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Strategies/SURW.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/AnswerOrder.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Strategies/Random.swift",
      kind: .unchecked,
      reason: everyStep
    ),
    StyleException(
      path: "Sources/NapkinTesting/Engine/Simulation/Time/SimulatedClock.swift",
      kind: .unchecked,
      reason: address
    ),
  ]

  static func covers(_ path: String, _ kind: StyleException.Kind) -> Bool {
    all.contains { $0.path == path && $0.kind == kind }
  }
}
