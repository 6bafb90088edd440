// SPDX-License-Identifier: Apache-2.0

// A channel that is finished resumes the first of the readers that wait, and marks itself as terminal. The other readers, and
// those that come later, wait for ever.
//
// The repair resumes all of them, and later ones at once.
extension Case {
  static let finishResumesFirstReader = Case(
    "finish-resumes-first-reader", of: "apple/swift-async-algorithms 152",
    .plain, decides: "finish"
  ) {
    let version = Version.current
    let channel = TerminalChannel(version)
    async let first = channel.next()
    async let second = channel.next()
    await channel.finish()
    _ = await (first, second)
  }
}

private actor TerminalChannel {
  private enum State {
    case open([CheckedContinuation<Int?, Never>])
    /// The end is still to be read by one reader.
    case ending
    case ended
  }
  private let version: Case.Version
  private var state = State.open([])

  init(_ version: Case.Version) { self.version = version }

  func next() async -> Int? {
    if version == .after, case .ended = state { return nil }
    return await withCheckedContinuation { continuation in
      switch state {
      case .open(let readers): state = .open(readers + [continuation])
      case .ending:
        state = .ended
        continuation.resume(returning: nil)
      case .ended: state = .open([continuation])
      }
    }
  }

  func finish() {
    guard case .open(let readers) = state else { return }
    for reader in version == .after ? readers : Array(readers.prefix(1)) { reader.resume(returning: nil) }
    state = version == .after || !readers.isEmpty ? .ended : .ending
  }
}
