// SPDX-License-Identifier: Apache-2.0

// A client keeps a continuation for each request. A response looks it up, awaits the decoding, resumes it and removes it
// then; a disconnect meanwhile resumes all that are kept, and the process ends by a continuation resumed twice.
//
// The repair removes it in the step that looks it up.
extension Case {
  static let responseResumedTwice = Case(
    "response-resumed-twice", of: "modelcontextprotocol/swift-sdk 113 (fec680a ← 87f33d0)",
    .plain, decides: "disconnect"
  ) {
    let version = Version.current
    let client = RPCClient(version)
    let request = Task { try await client.send(id: 1) }
    await client.waitUntilSent(1)
    async let response: Void = client.receive(id: 1, "pong")
    async let end: Void = client.disconnect()
    _ = await (response, end)
    _ = await request.result
  }
}

private struct Disconnected: Error {}

private actor Decoder {
  func decode(_ text: String) -> String { text.uppercased() }
}

private actor RPCClient {
  private let version: Case.Version
  private let decoder = Decoder()
  private var pending: [Int: CheckedContinuation<String, any Error>] = [:]
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ version: Case.Version) { self.version = version }

  func send(id: Int) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      pending[id] = continuation
      waiting?.resume()
      waiting = nil
    }
  }

  func waitUntilSent(_ id: Int) async {
    if pending[id] == nil { await withCheckedContinuation { waiting = $0 } }
  }

  func receive(id: Int, _ text: String) async {
    guard let request = version == .after ? pending.removeValue(forKey: id) : pending[id] else { return }
    let answer = await decoder.decode(text)
    request.resume(returning: answer)
    pending[id] = nil
  }

  func disconnect() {
    for request in pending.values { request.resume(throwing: Disconnected()) }
    pending = [:]
  }
}
