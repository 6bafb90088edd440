// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The lines of one run, each a letter, in the order in which they were logged.
final class Log: Sendable {
  private let lines = Mutex("")

  func callAsFunction(_ line: String) {
    Jitter.pass()
    lines.withLock { $0 += line }
  }

  /// Logs a line of a task that would mostly come first.
  func late(_ line: String) {
    for _ in 0..<3 { Jitter.pass() }
    self(line)
  }

  var outcome: String { lines.withLock { $0 } }
}

/// A time of random length before each line, on threads: mostly none, at times some hundred microseconds.
enum Jitter {
  private static let state = Atomic<UInt64>(0)
  private static let isOn = Atomic(false)

  static func start(seed: UInt64) {
    state.store(seed, ordering: .relaxed)
    isOn.store(true, ordering: .relaxed)
  }

  static func pass() {
    guard isOn.load(ordering: .relaxed) else { return }
    var bits = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    guard bits % 2 == 0 else { return }
    spin(Int(bits >> 50) >> Int(bits >> 8 & 7))
  }

  /// Some nanoseconds for each turn, in a debug build.
  private static func spin(_ turns: Int) {
    for _ in 0..<turns { _ = isOn.load(ordering: .relaxed) }
  }
}

/// A place for one value, which one task leaves and another takes.
final class Box<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ new: Value) { value.withLock { $0 = new } }
  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
  var isEmpty: Bool { value.withLock { $0 == nil } }
}
