// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A writer of a response that is asked to stop looks at a flag, and then registers that it waits. The event loop says
// "produce more" in between, finds no writer that waits, and the writer waits for ever.
//
// The repair looks and registers in one locked region.
extension Case {
  static let writerMissesWakeUp = Case(
    "writer-misses-wake-up", of: "hummingbird-project/hummingbird 666 (c1d17575 ← b1bc64fe)",
    .split, .lock, decides: "produceMore"
  ) {
    let version = Version.current
    let pressure = BackPressure(version)
    let writer = Task { await pressure.write() }
    let loop = Task { pressure.produceMore() }
    await loop.value
    await writer.value
  }
}

private final class BackPressure: Sendable {
  private struct State {
    var mayProduce = false
    var writer: CheckedContinuation<Void, Never>?
  }
  private let version: Case.Version
  private let state = Mutex(State())

  init(_ version: Case.Version) { self.version = version }

  func write() async {
    if version == .before, state.withLock({ $0.mayProduce }) { return }
    await withCheckedContinuation { continuation in
      let mayProduce = state.withLock { state in
        if version == .after, state.mayProduce { return true }
        state.writer = continuation
        return false
      }
      if mayProduce { continuation.resume() }
    }
  }

  func produceMore() {
    let writer = state.withLock { state in
      state.mayProduce = true
      return state.writer.take()
    }
    writer?.resume()
  }
}
