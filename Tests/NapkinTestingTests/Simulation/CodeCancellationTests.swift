// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private struct Wrong: Error {}

/// A cancellation by the code under test is an event of the execution that is reported.
@Suite struct CodeCancellationTests {
  private func failure(_ body: @escaping @Sendable () async throws -> Void) async throws -> Exploration.Failure {
    try #require(await Explorer(executions: 1).run(body).failure)
  }

  private func cancellations(in failure: Exploration.Failure) -> [Event] {
    failure.log.events.filter { if case .cancels = $0.kind { true } else { false } }
  }

  @Test func `a task that cancels another one says which, and where`() async throws {
    let line = #line + 3
    let failure = try await failure {
      let search = Task(name: "search") { try await Task.sleep(for: .seconds(1)) }
      search.cancel()
      _ = await search.result
      throw Wrong()
    }
    let events = cancellations(in: failure)
    #expect(events.map(\.kind) == [.cancels(1)])
    #expect(events.map(\.task) == [0])
    #expect(failure.timeline.contains("cancels search"), "\(failure.timeline)")
    guard PlatformWays.findFunctions else { return }
    #expect(events.map(\.fileAndLine) == ["CodeCancellationTests.swift:\(line)"])
    #expect(failure.timeline.contains("CodeCancellationTests.swift:\(line)"), "\(failure.timeline)")
    // The exploration has cancelled none.
    #expect(failure.cancellations == [])
  }

  @Test func `a task that has ended, or is cancelled already, is not cancelled again`() async throws {
    let failure = try await failure {
      let ended = Task {}
      await ended.value
      ended.cancel()
      let waiting = Task { try await Task.sleep(for: .seconds(1)) }
      waiting.cancel()
      waiting.cancel()
      throw Wrong()
    }
    #expect(cancellations(in: failure).map(\.kind) == [.cancels(2)])
  }

  @Test func `a group that is cancelled is an event, and so is a task that cancels itself`() async throws {
    let failure = try await failure {
      await withTaskGroup { group in
        group.addTask { try? await Task.sleep(for: .seconds(1)) }
        group.cancelAll()
      }
      withUnsafeCurrentTask { $0?.cancel() }
      throw Wrong()
    }
    #expect(cancellations(in: failure).first?.kind == .cancels(nil))
    #expect(failure.timeline.contains("cancels its task group"), "\(failure.timeline)")
  }
}
