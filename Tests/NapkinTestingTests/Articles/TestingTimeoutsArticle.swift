// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

actor SearchServer {
  private(set) var asked: [String] = []
  func find(_ text: String) { asked.append(text) }
}

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/TestingTimeoutsAndDebounce.md"))
struct TestingTimeoutsArticle {
  actor SearchField {
    private let server: SearchServer
    private var pending: Task<Void, Never>?
    init(_ server: SearchServer) { self.server = server }

    func type(_ text: String) {
      pending?.cancel()
      pending = Task(name: text) {
        try? await Task.sleep(for: .milliseconds(300))
        await server.find(text)
      }
    }
  }

  @Test(.interleavings(1_000)) func `only what was typed last is searched for`() async throws {
    let server = SearchServer()
    let field = SearchField(server)
    await field.type("r")
    await field.type("rib")
    try await Task.sleep(for: .seconds(1))
    #expect(await server.asked == ["rib"])
  }
}

@Suite struct TestingTimeoutsFixed {
  actor SearchField {
    private let server: SearchServer
    private var pending: Task<Void, any Error>?
    init(_ server: SearchServer) { self.server = server }

    func type(_ text: String) {
      pending?.cancel()
      pending = Task(name: text) {
        try await Task.sleep(for: .milliseconds(300))
        await server.find(text)
      }
    }
  }

  @Test(.interleavings(1_000, busyTime: .zero)) func `only what was typed last is searched for`() async throws {
    let server = SearchServer()
    let field = SearchField(server)
    await field.type("r")
    await field.type("rib")
    try await Task.sleep(for: .seconds(1))
    #expect(await server.asked == ["rib"])
  }

  struct TimedOut: Error {}

  func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw TimedOut()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }

  @Test(.interleavings(200)) func `a minute without an answer is enough`() async {
    await #expect(throws: TimedOut.self) {
      try await within(.seconds(60)) { try await Task.sleep(for: .seconds(3_600)) }
    }
  }

  @Test(.interleavings(1_000)) func `an answer and its timeout may come together`() async throws {
    let answer = try? await within(.seconds(5)) {
      try await Task.sleep(for: .seconds(5))
      return "ready"
    }
    Execution.sometimes("the answer is first", answer == "ready")
    Execution.sometimes("the timeout is first", answer == nil)
  }
}
