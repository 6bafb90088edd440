// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Vault {
  private var gold = 1
  func take(_ amount: Int, for owner: String) async {
    await Task.yield()
    gold -= amount
  }
  func count() -> Int { gold }
}

private struct Empty: Error {}

@Sendable private func rob() async throws {
  let vault = Vault()
  await vault.take(1, for: "guest")
  await helper()
  if await vault.count() == 0 { throw Empty() }
}

private func helper() async { try? await Task.sleep(for: .seconds(1)) }
private let helperLine = #line - 1

@Suite(
  .enabled(if: YardstickProgram.haveAllHops, "an optimised build merges functions, too"),
  .enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain")
)
struct SymbolicatorTests {
  private func places() async throws -> [SourcePlace] {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(rob).failure)
    return failure.log.events.compactMap(\.source)
  }

  @Test func `each job of the reported execution has the function in which it resumes`() async throws {
    let functions = try await places().map(\.text)
    #expect(functions.contains("Vault.take(_:for:)"), "\(functions)")
    #expect(functions.contains("rob()"), "\(functions)")
  }

  @Test func `a function of the kit or of the runtime is replaced by its caller`() async throws {
    let functions = try await places().map(\.text)
    #expect(!functions.contains { $0.contains("sleep") || $0.contains("Simulation") }, "\(functions)")
    #expect(functions.contains("helper()"), "\(functions)")
  }

  @Test func `each function has the file and the line at which it resumes`() async throws {
    let places = try await places()
    let helper = try #require(places.first { $0.text == "helper()" })
    #expect(helper.file == #filePath)
    #expect(helper.line == helperLine)
    #expect(places.allSatisfy { $0.line != nil })
  }

  @Test func `the lanes show in which function of an actor a job runs`() async throws {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(rob).failure)
    #expect(failure.timeline.contains("Vault.take(_:for:)"), "\(failure.timeline)")
  }

  @Test func `the lanes have the file and the line of each step`() async throws {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(rob).failure)
    #expect(failure.timeline.contains("SymbolicatorTests.swift:\(helperLine)"), "\(failure.timeline)")
  }

  @Test func `a task begins at the line that creates it, also in a group or an async let`() async throws {
    let line = #line
    let failure = await Explorer(executions: 1, strategy: .fifo).run {
      let task = Task { await helper() }
      async let child: Void = helper()
      await withTaskGroup { group in
        group.addTask { await helper() }
      }
      _ = await (task.value, child)
      throw Empty()
    }.failure
    let log = try #require(failure).log
    let first = Dictionary(grouping: log.events.filter { $0.source != nil }, by: \.task).compactMapValues(\.first)
    #expect([1, 2, 3].map { first[$0]?.source?.line } == [line + 2, line + 3, line + 5])
  }

  @Test func `a task has its name although it only waits`() async throws {
    let failure = await Explorer(executions: 1, strategy: .fifo).run {
      let gate = Gate()
      let reader = Task(name: "reader") { await gate.pass() }
      await reader.value
    }.failure
    #expect(try #require(failure).log.taskNames.values.contains("reader"))
  }

  @Test func `a deadlock names the function and the line that each task waits in`() async throws {
    let failure = await Explorer(executions: 1, strategy: .fifo).run {
      let gate = Gate()
      await gate.pass()
    }.failure
    let line = #line - 2
    let text = try #require(failure).messages.joined()
    #expect(text.contains("body waits since step 2, at SymbolicatorTests.swift:\(line) in "), "\(text)")
  }
}
