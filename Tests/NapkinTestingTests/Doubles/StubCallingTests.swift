// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct StubCallingTests {
  private struct Offline: Error {}
  private enum Refusal: Error { case wrongPassword }

  // As a mock of a protocol is written: each kind of function, with its stub.
  private struct Service: Sendable {
    let count = Stub<Int, String>()
    let logIn = Stub<String, String>()
    let cached = Stub<Void, Int>()
    func count(_ id: Int) async -> String { await count(id, default: "none") }
    func logIn(_ name: String) async throws(Refusal) -> String {
      try await logIn(name, throwing: Refusal.self, default: "guest")
    }
    func cachedTotal() -> Int { cached(default: -1) }
    func readTotal() throws -> Int { try cached() }
    func checkTotal() throws(Refusal) -> Int { try cached(throwing: Refusal.self, default: -1) }
  }

  private let service = Service()

  @Test func `a function that cannot throw gets the answer`() async {
    service.count.returns("yes")
    #expect(await service.count(1) == "yes")
  }

  @Test func `a function that cannot throw gets its default and one issue without an answer`() async {
    let texts = await issues { #expect(await service.count(1) == "none") }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("count(_:), at StubCallingTests.swift:15, was called with 1,") == true)
  }

  @Test func `an error for a function that cannot throw is an issue at the error's line`() async {
    let line = #line + 1
    service.count.throws(Offline())
    let records = await issueRecords { #expect(await service.count(1) == "none") }
    #expect(
      records.map(\.text) == [
        """
        count(_:), at StubCallingTests.swift:15, has a stub that throws Offline(), and cannot throw.
        Likely cause: the answer was written for a requirement that throws other errors.
        What to do: let the answer return a value or throw what the function throws; this call returns its `default:`.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
  }

  @Test func `a function with typed throws throws errors of its type`() async throws {
    service.logIn.throws(Refusal.wrongPassword, times: 1).returns("Joe")
    await #expect(throws: Refusal.wrongPassword) { try await service.logIn("joe") }
    #expect(try await service.logIn("joe") == "Joe")
  }

  @Test func `an error of another type is an issue, and the default is returned`() async {
    service.logIn.throws(Offline())
    let texts = await issues { #expect((try? await service.logIn("joe")) == "guest") }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("has a stub that throws Offline(), and throws Refusal only.") == true)
  }

  @Test func `a function that is not async gets values, closures and errors`() {
    service.cached.returns(1, times: 1).answers(times: 1) { 2 }.throws(Refusal.wrongPassword)
    #expect(service.cachedTotal() == 1)
    #expect(service.cachedTotal() == 2)
    #expect(throws: Refusal.wrongPassword) { try service.readTotal() }
    #expect(throws: Refusal.wrongPassword) { try service.checkTotal() }
    #expect(service.cached.calls.count == 4)
  }

  @Test func `a function that is not async cannot run an async closure`() async {
    let line = #line + 1
    service.cached.answers { await answer() }
    let records = await issueRecords {
      #expect(service.cachedTotal() == -1)
      #expect(throws: UnstubbedCall.self) { try service.readTotal() }
    }
    #expect(
      records.first?.text.hasPrefix(
        """
        cachedTotal(), at StubCallingTests.swift:19, has a stub that answers by an async closure, and is not async.
        """) == true)
    #expect(records.map(\.line) == [line, line])
  }

  @Test func `a function that is not async cannot wait at a gate, and says so`() async {
    service.cached.returns(1).waits(at: Gate())
    let texts = await issues { #expect(service.cachedTotal() == 1) }
    #expect(texts.first?.contains("has a stub that waits at a Gate, and is not async.") == true)
  }

  private actor Caller {
    private(set) var received: [Int] = []
    func call(_ stub: Stub<Int, Int>, with number: Int) async throws { received.append(try await stub(number)) }
  }

  // The calls are counted in their order, so answers in the order of their calls are 1, 2, 3; with the time of the last.
  private func answers(
    _ strategy: Explorer.Strategy = .random, of stub: @escaping @Sendable () -> Stub<Int, Int>
  ) async -> (orders: Set<[Int]>, times: Set<Duration>) {
    let seen = Mutex<(orders: Set<[Int]>, times: Set<Duration>)>(([], []))
    let result = await Explorer(executions: 200, strategy: strategy, seed: 1).run {
      let (caller, stub) = (Caller(), stub())
      let tasks = (1...3).map { number in Task { try await caller.call(stub, with: number) } }
      for task in tasks { try await task.value }
      let time = Execution.clock.now.offset
      let order = await caller.received.map { number in (stub.calls.firstIndex(of: number) ?? 0) + 1 }
      seen.withLock {
        $0.orders.insert(order)
        $0.times.insert(time)
      }
    }
    #expect(result.failure == nil)
    return seen.withLock { $0 }
  }

  @Test func `answers to calls from one actor arrive in any order`() async {
    let plain = await answers { Stub { $0 } }
    #expect(plain.orders.count == 6)
    #expect(plain.times == [.zero])
  }

  // The longest of three latencies is none with odds of one in ninety.
  @Test func `answers in any order take time, also in FIFO order, up to a timeout`() async {
    let late = await answers(.fifo) { Stub { $0 }.answersInAnyOrder(within: .seconds(4)) }
    #expect(late.orders.count == 6)
    #expect(late.times == [.zero, .seconds(1), .seconds(2), .seconds(3), .seconds(4)])
  }

  @Test func `a drawn time is shown in the failure, and shrunk`() async throws {
    let result = await Explorer(executions: 200, strategy: .random, seed: 1).run {
      let service = Service()
      service.logIn.returns("Joe").answersInAnyOrder(within: .seconds(4))
      _ = try await service.logIn("joe")
      #expect(Execution.clock.now.offset < .seconds(2))
    }
    #expect(try #require(result.failure).draws == ["a call of logIn(_:) takes = 0.0 seconds there, 2.0 seconds back"])
  }

  @Test func `a time in which no answer can be late is an issue`() async {
    let line = #line + 1
    let records = await issueRecords { Stub<Int, Int>().answersInAnyOrder(within: .zero) }
    #expect(records.map(\.line) == [line])
  }

  @Test func `outside an exploration an answer takes no time`() async throws {
    let start = ContinuousClock.now
    #expect(try await Stub<Int, Int> { $0 }.answersInAnyOrder(within: .seconds(3_600))(1) == 1)
    #expect(ContinuousClock.now - start < .seconds(600))
  }
}

private func answer() async -> Int { 3 }
