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
  await vault.take(1, for: "somebody")
  await helper()
  if await vault.count() == 0 { throw Empty() }
}

private func helper() async { try? await Task.sleep(for: .seconds(1)) }

@Suite(.enabled(if: YardstickProgram.haveAllHops, "an optimised build merges functions, too"))
struct FunctionNamesTests {
  private func functions() async throws -> [String] {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(rob).failure)
    return failure.log.events.compactMap(\.function?.text)
  }

  @Test func `each job of the execution that is told says in which function it goes on`() async throws {
    let functions = try await functions()
    #expect(functions.contains("Vault.take(_:for:)"), "\(functions)")
    #expect(functions.contains("rob()"), "\(functions)")
  }

  @Test func `the functions of the kit and of the runtime are passed over for those that call them`() async throws {
    let functions = try await functions()
    #expect(!functions.contains { $0.contains("sleep") || $0.contains("Simulation") }, "\(functions)")
    #expect(functions.contains("helper()"), "\(functions)")
  }

  @Test func `the lanes tell which function of an actor a turn is in`() async throws {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(rob).failure)
    #expect(failure.timeline.contains("Vault.take(_:for:)"), "\(failure.timeline)")
  }
}
