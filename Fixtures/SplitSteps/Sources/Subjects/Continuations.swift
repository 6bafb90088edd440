// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where one task waits for a number, by a continuation of each kind.
final class Bench: Sendable {
  private let resumption = Mutex<(@Sendable (Int) -> Void)?>(nil)
  private func keep(_ work: @escaping @Sendable (Int) -> Void) { resumption.withLock { $0 = work } }

  func waitUnsafely() async -> Int {
    await withUnsafeContinuation { next in keep { next.resume(returning: $0) } }
  }
  func waitUnsafelyForError() async throws -> Int {
    try await withUnsafeThrowingContinuation { next in keep { next.resume(throwing: Wrong("\($0)")) } }
  }
  func waitChecked() async -> Int {
    await withCheckedContinuation { next in keep { next.resume(returning: $0) } }
  }
  func waitCheckedForError() async throws -> Int {
    try await withCheckedThrowingContinuation { next in keep { next.resume(throwing: Wrong("\($0)")) } }
  }
  func resume(_ number: Int) async {
    while true {
      let work = resumption.withLock { kept in
        defer { kept = nil }
        return kept
      }
      if let work { return work(number) }
      await Task.yield()
    }
  }
}

extension Subject {
  static let continuations = [
    // Some of the functions are inline in optimised code, and others are the library's.
    Subject("continuations") {
      let bench = Bench()
      async let sum = {
        var sum = 0
        for _ in 0..<2 {
          sum += await bench.waitUnsafely()
          sum += await bench.waitChecked()
          do { sum += try await bench.waitUnsafelyForError() } catch is Wrong { sum += 100 }
          do { sum += try await bench.waitCheckedForError() } catch is Wrong { sum += 100 }
        }
        return sum
      }()
      for number in 1...8 { await bench.resume(number) }
      try expect(try await sum, 1 + 2 + 5 + 6 + 400)
    }
  ]
}
