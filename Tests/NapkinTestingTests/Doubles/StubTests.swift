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

  @Test func `a stub throws what it is told to throw`() async {
    let stub = Stub<Int, String>().throws(Offline())
    await #expect(throws: Offline.self) { try await stub(1) }
  }

  @Test func `a closure computes the answer from the input`() async throws {
    let stub = Stub<Int, Int>().answers { $0 * 2 }
    #expect(try await stub(21) == 42)
  }

  @Test func `queued answers come first, one call each, then the standing one`() async throws {
    let stub = Stub<Void, Int>(returning: 0).returns(inOrder: 1, 2).throwsOnce(Offline()).answersOnce { _ in 4 }
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

  @Test func `a call without an answer records one issue, throws, and does not crash`() async {
    let stub = Stub<Int, String>()
    let line = #line + 2
    let records = await issueRecords {
      await #expect(throws: UnstubbedCall.self) { try await stub(7) }
    }
    #expect(
      records.map(\.text) == [
        """
        Stub<Int, String> was called with 7, and has no answer.
        Likely cause: the test does not expect this call, or has set up another instance of the mock.
        What to do: call `returns(_:)`, `throws(_:)` or `answers(_:)` first; this call throws `UnstubbedCall`.
        """
      ]
    )
    #expect(records.map(\.line) == [line])
    #expect(stub.calls == [7])
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
