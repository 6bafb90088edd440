// SPDX-License-Identifier: Apache-2.0

private actor Receiver {
  private(set) var received: [String] = []

  func receive(_ message: String) { received.append(message) }
}

private actor Forwarder {
  private let receiver: Receiver

  init(to receiver: Receiver) { self.receiver = receiver }

  func forward(_ message: String) async { await receiver.receive(message) }
}

extension YardstickProgram {
  /// The longer way is not always the slower one.
  static let directForwarded = Self(name: "Direct, forwarded", depth: 1) {
    let receiver = Receiver()
    let forwarder = Forwarder(to: receiver)
    try await finish([
      Task { await receiver.receive("direct") },
      Task { await forwarder.forward("forwarded") },
    ])
    let received = await receiver.received
    try demand(received == ["direct", "forwarded"], "received \(received)")
  }

  static let soundForwarding = Self(name: "Direct, forwarded, sound", depth: nil) {
    let receiver = Receiver()
    let forwarder = Forwarder(to: receiver)
    let direct = Task { await receiver.receive("direct") }
    try await finish([
      Task {
        await direct.value
        await forwarder.forward("forwarded")
      }
    ])
    let received = await receiver.received
    try demand(received == ["direct", "forwarded"], "received \(received)")
  }
}
