// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

private protocol Kind {}
extension Kind {
  static var step: any Kind.Type { Step<Self>.self }
  static var left: any Kind.Type { Left<Self>.self }
  static var right: any Kind.Type { Right<Self>.self }
}
private enum None: Kind {}
private final class Step<Value: Kind>: Kind {}
private final class Left<Value: Kind>: Kind {}
private final class Right<Value: Kind>: Kind {}

/// The memory that the runtime makes types in, which orders no accesses of the code under test.
@Suite struct RuntimeMemoryTests {
  /// A type that no execution has used before.
  private static let newest = Mutex<any Kind.Type>(None.self)
  private static func newType() -> any Kind.Type {
    newest.withLock { newest in
      newest = newest.step
      return newest
    }
  }

  /// One task makes enough types to need more memory for them, the other one then makes one in that.
  private static let makesTypes: @Sendable () async -> Void = {
    let type = newType()
    let counts = Counts()
    async let one: Void = {
      counts.first = 1
      _ = (0..<200).reduce(type) { type, _ in type.left }
    }()
    async let two: Void = {
      _ = type.right
      counts.first = 2
    }()
    _ = await (one, two)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `two tasks that use types for the first time are not ordered by that`(_ seed: UInt64) async throws {
    let exploration = await Explorer(executions: 20, seed: seed, shrinks: false).run(Self.makesTypes)
    let failure = try #require(exploration.failure)
    #expect(failure.execution == 1)
    #expect(failure.diagnostics.map(\.kind) == [.dataRace])
    // The execution that is reported is one more, which is logged.
    let accesses = #/task \d writes at RuntimeMemoryTests.swift:\d+ .*task \d writes at RuntimeMemoryTests.swift:\d+/#
    #expect(failure.messages.joined(separator: " ").replacing("\n", with: " ").contains(accesses))
  }

  /// What a task does with the libraries of the system, none of which another task takes part in.
  enum Library: CaseIterable {
    case group, stream, handler, text, task

    func use() async {
      switch self {
      case .group: await withTaskGroup { $0.addTask {} }
      case .stream:
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        continuation.yield(1)
        continuation.finish()
        for await _ in stream {}
      case .handler:
        await withTaskCancellationHandler {
          await Task.yield()
        } onCancel: {
        }
      case .text: _ = 1_234.5.formatted(.currency(code: "EUR").locale(Locale(identifier: "de_DE")))
      case .task: await Task.detached {}.value
      }
    }
  }

  @Test(arguments: Library.allCases)
  func `a task is after no other one for what it does in libraries`(_ library: Library) async {
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 20, seed: seed, shrinks: false).run {
        let counts = Counts()
        async let one: Void = { counts.first = 1 }()
        async let two: Void = {
          await library.use()
          counts.first = 2
        }()
        _ = await (one, two)
      }
      #expect(exploration.failure?.execution == 1, "seed \(seed)")
      #expect(exploration.failure?.diagnostics.map(\.kind) == [.dataRace])
    }
  }
}
