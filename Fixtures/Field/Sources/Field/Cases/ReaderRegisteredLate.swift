// SPDX-License-Identifier: Apache-2.0

// A reader looks whether a value is there, and registers its continuation in a task of its own. A send in between finds
// no continuation, stores the value, and wakes no reader.
//
// The repair looks and registers in one visit of the actor.
extension Case {
  static let readerRegisteredLate = Case(
    "reader-registered-late", of: "Tyler-Keith-Thompson/Afluent 87 (2dbd3dd1d ← 703beee73)",
    .plain, decides: "send"
  ) {
    let version = Version.current
    let channel = ValueChannel(version)
    let reader = Task { await channel.next() }
    await channel.send(3)
    let value = await reader.value
    try expect(value == 3, "the reader gets what was sent, not \(value)")
  }
}

private actor ValueChannel {
  private let version: Case.Version
  private var value: Int?
  private var readers: [CheckedContinuation<Int, Never>] = []

  init(_ version: Case.Version) { self.version = version }

  func next() async -> Int {
    if let value { return value }
    return await withCheckedContinuation { continuation in
      switch version {
      case .before: Task { self.register(continuation) }
      case .after: readers.append(continuation)
      }
    }
  }

  private func register(_ continuation: CheckedContinuation<Int, Never>) { readers.append(continuation) }

  func send(_ newValue: Int) {
    value = newValue
    for reader in readers { reader.resume(returning: newValue) }
    readers = []
  }
}
