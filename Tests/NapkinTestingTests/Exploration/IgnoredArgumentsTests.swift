// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct IgnoredArgumentsTests {
  /// The replay of an execution that fails.
  private func replay() async throws -> Explorer.Strategy {
    .replay(try #require(await Explorer(executions: 1).run { throw CancellationError() }.failure).schedule)
  }

  @Test func `arguments that a replay ignores are refused by name and value`() async throws {
    let replay = try await replay()
    let wrong = [
      ("executions: 500", Explorer(executions: 500, strategy: replay)),
      ("executions: 1000", Explorer(executions: 1_000, strategy: replay)),
      ("seed: 7", Explorer(strategy: replay, seed: 7)),
      ("cancels: true", Explorer(strategy: replay, cancels: true)),
      ("time: 5.0 seconds", Explorer(strategy: replay, time: .seconds(5))),
      ("busyTime: 0.0 seconds", Explorer(strategy: replay, busyTime: .zero)),
      ("seed: 7, cancels: true", Explorer(strategy: replay, seed: 7, cancels: true)),
    ]
    for (arguments, explorer) in wrong {
      let result = await explorer.run {}
      let message = try #require(result.failure?.messages.first, "\(arguments)")
      #expect(message.contains("Explorer(strategy: .\(replay)) ignores \(arguments)."))
      #expect(result.executions == 0)
    }
  }

  @Test func `a replay takes the arguments that it uses`() async throws {
    let replay = try await replay()
    let explorers = [
      Explorer(strategy: replay), Explorer(executions: 1, strategy: replay, shrinks: false, steps: 50),
      Explorer(strategy: replay, busyTime: nil),
    ]
    for explorer in explorers {
      let result = await explorer.run { throw CancellationError() }
      #expect(result.executions == 1)
      #expect(result.failure?.messages.first?.contains("CancellationError") == true)
    }
  }

  @Test func `an explorer whose strategy is changed to a replay may have any arguments`() async throws {
    var explorer = Explorer(executions: 500, seed: 7)
    explorer.strategy = try await replay()
    #expect(await explorer.run {}.executions == 1)
  }

  @Test func `the environment may ask for a replay of any exploration`() async throws {
    var settings = RunSettings()
    settings.replay = try #require(await Explorer(executions: 1).run { throw CancellationError() }.failure).schedule
    #expect(await Explorer(executions: 500, seed: 7).adjusted(by: settings).run {}.executions == 1)
  }

  @Test func `an argument that is ignored is one issue at the line of the test`() async {
    let line = #line + 2
    let records = await issueRecords {
      await explore(executions: 500, strategy: .replay("nk1.AAAA"), seed: 7) {}
    }
    #expect(records.map(\.line) == [line])
    #expect(records.first?.text.contains(" ignores executions: 500, seed: 7.") == true)
  }

  @Test func `arguments that the real thread pool ignores are refused`() async throws {
    let wrong = [
      ("steps: 50", Explorer(strategy: .parallel, steps: 50)),
      ("busyTime: 0.0 seconds", Explorer(strategy: .parallel, busyTime: .zero)),
    ]
    for (argument, explorer) in wrong {
      let result = await explorer.run {}
      let message = try #require(result.failure?.messages.first, "\(argument)")
      #expect(message.contains("Explorer(strategy: .parallel) ignores \(argument)."))
      #expect(result.executions == 0)
    }
  }

  @Test func `a time that first-in, first-out order ignores is refused`() async throws {
    let result = await Explorer(strategy: .fifo, busyTime: .seconds(9)).run {}
    let message = try #require(result.failure?.messages.first)
    #expect(message.contains("Explorer(strategy: .fifo) ignores busyTime: 9.0 seconds."))
  }
}
