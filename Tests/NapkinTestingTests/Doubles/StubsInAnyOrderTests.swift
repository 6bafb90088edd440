// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private struct Offline: Error {}
private struct Refusal: Error {}

private struct Service: Sendable {
  let searchStub = Stub<String, [String]>()
  let countStub = Stub<Void, Int>(returning: 7)
  let loginStub = Stub<Void, Int>(returning: 1)

  init() { searchStub.answers { (text: String) in [text] } }

  func search(_ text: String) async throws -> [String] { try await searchStub(text) }
  func count() async -> Int { await countStub(default: 0) }
  func login() async throws(Refusal) -> Int { try await loginStub(throwing: Refusal.self, default: 0) }
}

@MainActor private final class LateSearch {
  private let service: Service
  private(set) var results: [String] = []
  private(set) var hasFailed = false

  init(_ service: Service) { self.service = service }

  func type(_ text: String) async {
    do { results = try await service.search(text) } catch { hasFailed = true }
  }
}

/// One switch for all stubs of an execution: late answers, and failures.
@Suite struct StubsInAnyOrderTests {
  @Sendable private static func typeTwice() async {
    Execution.stubsAnswerInAnyOrder()
    let model = await LateSearch(Service())
    let first = Task { @MainActor in await model.type("r") }
    await Execution.settle()
    let second = Task { @MainActor in await model.type("ri") }
    _ = await (first.value, second.value)
    #expect(await model.results == ["ri"])
  }

  @Test func `a stale answer is found, and its latencies stand in the report`() async throws {
    let failure = try #require(await Explorer(executions: 20).run(Self.typeTwice).failure)
    #expect(
      failure.draws.contains { $0.hasPrefix("a call of search(_:) takes = 0.") && $0.contains("0.25 s") },
      "\(failure.draws)")
    let again = await Explorer(strategy: .replay(failure.schedule)).run(Self.typeTwice)
    #expect(again.failure?.messages == failure.messages)
  }

  @Test func `requests to a stub overtake each other, and are recorded as they come`() async {
    for seed in 1...20 as ClosedRange<UInt64> {
      let result = await Explorer(executions: 50, seed: seed, shrinks: false).run {
        Execution.stubsAnswerInAnyOrder()
        let service = Service()
        let model = await LateSearch(service)
        let first = Task { @MainActor in await model.type("a") }
        await Execution.settle()
        let second = Task { @MainActor in await model.type("b") }
        _ = await (first.value, second.value)
        #expect(service.searchStub.calls == ["a", "b"])
      }
      #expect(result.failure != nil, "seed \(seed)")
    }
  }

  // A call fails with odds of one in four: that none of 200 does has odds of 1e-25.
  @Test(.interleavings(200), .stubsAnswerInAnyOrder(throwing: Offline()))
  func `an error is thrown where the function can throw it`() async throws {
    let service = Service()
    var isRefused = false
    do { #expect(try await service.search("r") == ["r"]) } catch {
      #expect(error is Offline)
      isRefused = true
    }
    Execution.sometimes("search(_:) throws", isRefused, atLeast: 0.1)
    Execution.sometimes("search(_:) answers", !isRefused, atLeast: 0.5)
    #expect(await service.count() == 7)
    #expect(try await service.login() == 1)
  }

  @Test func `a failure has as few errors as it needs`() async throws {
    let found = await Explorer(executions: 200).run {
      Execution.stubsAnswerInAnyOrder(throwing: Offline())
      let model = await LateSearch(Service())
      for text in ["r", "ri", "rib"] { await model.type(text) }
      #expect(await !model.hasFailed)
    }
    let failure = try #require(found.failure)
    #expect(failure.draws.filter { $0.hasSuffix(" = true") } == ["search(_:) throws Offline() = true"])
    #expect(
      failure.draws.filter { $0.contains(" takes = ") }.allSatisfy {
        $0.hasSuffix(" = 0.0 seconds there, 0.0 seconds back")
      })
  }

  @Test(.interleavings(100)) func `a stub keeps its own longest time`() async throws {
    Execution.stubsAnswerInAnyOrder(within: .seconds(100))
    let service = Service()
    service.searchStub.answersInAnyOrder(within: .milliseconds(4))
    let start = Execution.clock.now
    _ = try await service.search("r")
    #expect(start.duration(to: Execution.clock.now) <= .milliseconds(4))
  }

  @Test(.interleavings(100)) func `an execution knows nothing of the one before it`() async throws {
    let (service, start) = (Service(), Execution.clock.now)
    async let first = service.search("r")
    async let second = service.search("ri")
    _ = try await (first, second)
    #expect(Execution.clock.now == start)
    Execution.stubsAnswerInAnyOrder()
  }

  @Test func `a time in which no answer can be late is refused`() async {
    let found = await issueRecords { Execution.stubsAnswerInAnyOrder(within: .zero) }
    #expect(found.map(\.line) == [#line - 1])
    #expect(found.first?.text.contains("Execution.stubsAnswerInAnyOrder was given within: 0.0 seconds") == true)
  }
}
