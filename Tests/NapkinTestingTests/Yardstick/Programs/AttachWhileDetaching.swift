// SPDX-License-Identifier: Apache-2.0

private actor Node {
  enum Phase { case attached, detaching, detached }

  private(set) var phase = Phase.attached
  private var resource: Int? = 1

  var isUsable: Bool { phase != .detached && resource != nil }

  func beginDetaching() { phase = .detaching }

  func release() {
    resource = nil
    phase = .detached
  }

  func acquire() {
    resource = 2
    phase = .attached
  }
}

private actor Service {
  func cleanUp() {}
  func open() {}
}

extension YardstickProgram {
  /// An attach that finds a detach under way goes ahead, and the end of the detach takes away its result.
  static let attachWhileDetaching = attaching(name: "Attach while detaching", depth: 2, waits: false)

  static let soundAttaching = attaching(name: "Attach while detaching, sound", depth: nil, waits: true)

  private static func attaching(name: String, depth: Int?, waits: Bool) -> Self {
    Self(name: name, depth: depth) {
      let (node, service) = (Node(), Service())
      let detach = Task {
        await node.beginDetaching()
        await service.cleanUp()
        await hop()
        await node.release()
      }
      try await finish([
        Task {
          await hop()
          if await node.phase == .attached { return }
          if waits { await detach.value }
          await service.open()
          await node.acquire()
          await hop()
          let isUsable = await node.isUsable
          try demand(isUsable, "attached without a resource")
        }
      ])
      await detach.value
    }
  }
}
