// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct StubTests {
  private struct Offline: Error {}

  @Test func `a stub returns what it was made with, and notes its calls`() async throws {
    let stub = Stub<Int, String>(returning: "yes")
    #expect(try await stub(1) == "yes")
    #expect(try await stub(2) == "yes")
    #expect(stub.calls == [1, 2])
  }

  @Test func `a stub without input is called with nothing`() async throws {
    let stub = Stub<Void, Int> { 3 }
    #expect(try await stub() == 3)
    #expect(stub.calls.count == 1)
  }

  @Test func `a stub throws the error that it was given`() async {
    let stub = Stub<Int, String>().throws(Offline())
    await #expect(throws: Offline.self) { try await stub(1) }
  }

  @Test func `a closure computes the answer from the input`() async throws {
    let stub = Stub<Int, Int>().answers { $0 * 2 }
    #expect(try await stub(21) == 42)
  }

  @Test func `queued answers come first, one call each, then the standing one`() async throws {
    let stub = Stub<Void, Int>(returning: 0).returns(inOrder: 1, 2)
      .throws(Offline(), times: 1).answers(times: 1) { _ in 4 }
    #expect(try await stub() == 1)
    #expect(try await stub() == 2)
    await #expect(throws: Offline.self) { try await stub() }
    #expect(try await stub() == 4)
    #expect(try await stub() == 0)
  }

  @Test func `a call waits at the gate, noted already`() async throws {
    let gate = Gate()
    let stub = Stub<Int, Int>(returning: 1).waits(at: gate)
    let call = Task { try await stub(7) }
    await gate.reached()
    #expect(stub.calls == [7])
    gate.open()
    #expect(try await call.value == 1)
  }

  @Test func `an answer for several calls is queued once for each`() async throws {
    let stub = Stub<Void, Int>(returning: 0).returns(1, times: 2)
    #expect(try await [stub(), stub(), stub()] == [1, 1, 0])
  }

  @Test func `an answer for no call is an issue at the line that gave it`() async throws {
    let stub = Stub<Void, Int>(returning: 0)
    let line = #line + 1
    let records = await issueRecords { stub.returns(1, times: 0) }
    #expect(records.first?.text.hasPrefix("Stub<(), Int>: an answer cannot be given 0 times.") == true)
    #expect(records.map(\.line) == [line])
    #expect(try await stub() == 0)
  }

  @Test func `calls with several arguments are compared as tuples`() async throws {
    let stub = Stub<(String, Int), Bool>(returning: true)
    _ = try await (stub("rib", 1), stub("rib", 2))
    #expect(stub.calls == [("rib", 1), ("rib", 2)])
    #expect(!(stub.calls == [("rib", 1)]))
    #expect(!(stub.calls == [("rib", 1), ("rib", 3)]))
    #expect(!(stub.calls == [("rib", 1), ("rub", 2)]))
  }

  @Test func `a closure receives several arguments`() async throws {
    let stub = Stub<(String, Int), String> { text, page in "\(text) \(page)" }
    #expect(try await stub("rib", 2) == "rib 2")
  }

  private struct Service {
    let stub = Stub<Int, String>()
    func name(of number: Int) async throws -> String { try await stub(number) }
    static let line = #line - 1
  }

  @Test func `a call without an answer is one issue with the function's name and the line`() async {
    let service = Service()
    let records = await issueRecords {
      await #expect(throws: UnstubbedCall.self) { try await service.name(of: 7) }
    }
    #expect(
      records.map(\.text) == [
        """
        name(of:), at StubTests.swift:\(Service.line), was called with 7, and its stub has no answer.
        Likely cause: the test does not expect this call, or has set up another instance of the mock.
        What to do: call `returns(_:)`, `throws(_:)` or `answers(_:)` first; this call throws `UnstubbedCall`, or returns \
        its `default:`.
        """
      ]
    )
    #expect(records.map(\.line) == [Test.current?.sourceLocation.line])
    #expect(service.stub.calls == [7])
    #expect(service.stub.recorder.name == "name(of:)")
  }

  @Test func `unstubbed calls of two functions are two failures`() async throws {
    let result = await Explorer(executions: 200, strategy: .random, seed: 1).run {
      let (first, second) = (Stub<Int, String>(), Stub<Int, String>())
      if Execution.draw(.int(in: 0...9)) < 5 { _ = try? await first(1) } else { _ = try? await second(2) }
    }
    let failure = try #require(result.failure)
    let subjects = failure.diagnostics.map(\.subject)
    #expect(subjects.count == 1 && subjects != [nil])
  }

  @Test func `optionals, Bool and collections need no answer`() async throws {
    let texts = try await issues { () async throws in
      #expect(try await Stub<Void, Int?>()() == nil)
      #expect(try await Stub<Void, Bool>()() == false)
      #expect(try await Stub<Void, [Int]>()() == [])
      #expect(try await Stub<Void, Set<Int>>()() == [])
      #expect(try await Stub<Void, [Int: Int]>()() == [:])
      #expect(await Stub<Void, Bool>()(default: true))
    }
    #expect(texts == [])
  }

  @Test func `text needs an answer, and so does a number`() async {
    #expect(await issues { _ = try? await Stub<Void, String>()() }.count == 1)
    #expect(await issues { _ = try? await Stub<Void, Double>()() }.count == 1)
  }

  @Test func `a stub that returns nothing needs no answer`() async throws {
    let stub = Stub<Int, Void>()
    let texts = try await issues { try await stub(1) }
    #expect(texts == [])
  }

  @Test func `calls can be awaited`() async throws {
    let stub = Stub<Int, Void>()
    let call = Task { try await stub(1) }
    #expect(await stub.recorder.events(atLeast: 1) == [1])
    try await call.value
  }
}
