// SPDX-License-Identifier: Apache-2.0

// A client whose last subscription ends finishes the call to its server, waits for that, and forgets the call. A new
// subscription that comes while it waits is sent on the call that ends, and hears nothing.
//
// It was found by a review. The repair takes the call out before it waits.
extension Case {
  static let idleDisconnect = Case(
    "idle-disconnect", of: "firebase/data-connect-ios-sdk 91", .plain, decides: "subscribe disconnect"
  ) {
    let client = StreamingClient(Version.current)
    await client.subscribe("movies")
    async let leaves: Void = client.unsubscribe("movies")
    async let comes: Void = client.subscribe("reviews")
    _ = await (leaves, comes)
    let hears = await client.hears("reviews")
    try expect(hears, "a subscription is on a call that is open")
  }
}

private actor StreamingCall {
  private var names: Set<String> = []
  private var isFinished = false

  func send(_ name: String) { if !isFinished { names.insert(name) } }
  func finish() { isFinished = true }
  func delivers(_ name: String) -> Bool { !isFinished && names.contains(name) }
}

private actor StreamingClient {
  private let version: Case.Version
  private var names: Set<String> = []
  private var call: StreamingCall?

  init(_ version: Case.Version) { self.version = version }

  func subscribe(_ name: String) async {
    names.insert(name)
    let call = self.call ?? StreamingCall()
    self.call = call
    await call.send(name)
  }

  func unsubscribe(_ name: String) async {
    names.remove(name)
    if names.isEmpty { await disconnect() }
  }

  private func disconnect() async {
    let ending = call
    if version == .after { call = nil }
    await ending?.finish()
    if version == .before { call = nil }
  }

  func hears(_ name: String) async -> Bool { await call?.delivers(name) ?? false }
}
