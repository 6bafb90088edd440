// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import NapkinTesting
import Testing

// Sound tests that take longer than the limit of `Fixtures/Hangs/run`, of which something moves: no report may come.

@Suite(.serialized) struct PollingTests {
  @Test(arguments: 1...5) func polls(every tenths: Int) async throws {
    for _ in 0..<(60 / tenths) { try await Task.sleep(for: .milliseconds(100 * tenths)) }
  }
}

/// All at once, each for some six seconds.
@Suite struct BusyTests {
  private static let moments = 0..<30
  private static let moment = Duration.milliseconds(200)

  @Test func sleepsInAChild() async throws {
    async let child: Void = { for _ in Self.moments { try await Task.sleep(for: Self.moment) } }()
    try await child
  }

  @Test func waitsForAGroup() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { for _ in Self.moments { try await Task.sleep(for: Self.moment) } } }
      try await group.waitForAll()
    }
  }

  @Test func waitsForAStream() async throws {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let producer = Task {
      for number in Self.moments {
        try await Task.sleep(for: Self.moment)
        continuation.yield(number)
      }
      continuation.finish()
    }
    for await _ in stream {}
    try await producer.value
  }

  @Test func computes() {
    let end = Date().addingTimeInterval(6)
    var sum = 0
    while Date() < end { sum &+= 1 }
    #expect(sum > 0)
  }

  @Test func computesInATask() async {
    await Task.detached {
      let end = Date().addingTimeInterval(6)
      while Date() < end {}
    }.value
  }

  @MainActor @Test func hopsToTheMainActor() async throws {
    for _ in Self.moments {
      try await Task.sleep(for: Self.moment)
      await Task { @MainActor in }.value
    }
  }

  @Test func startsManyTasks() async throws {
    for _ in Self.moments {
      await withTaskGroup(of: Void.self) { group in for _ in 0..<50 { group.addTask { await Task.yield() } } }
      try await Task.sleep(for: Self.moment)
    }
  }

  @Test func pollsAFlag() async throws {
    let flag = Flag()
    Task {
      try await Task.sleep(for: .seconds(6))
      await flag.raise()
    }
    while await !flag.isRaised { try await Task.sleep(for: .milliseconds(50)) }
  }

  @Test func usesAQueue() async throws {
    let queue = DispatchQueue(label: "work")
    for _ in Self.moments {
      await withCheckedContinuation { continuation in
        queue.asyncAfter(deadline: .now() + .milliseconds(200)) { continuation.resume() }
      }
    }
  }
}

/// Quiet for four seconds each, one after the other: less than what a hang takes, and a signal would end the waits of threads early.
@Suite(.serialized) struct QuietTests {
  @Test func sleepsInItsTask() async throws { try await Task.sleep(for: .seconds(4)) }

  @Test func sleepsInItsThread() {
    #expect(sleep(4) == 0)
  }

  @Test func sleepsForMicroseconds() {
    #expect(usleep(4_000_000) == 0)
  }

  @Test func pollsNothing() {
    #expect(poll(nil, 0, 4_000) == 0)
  }

  @Test func acceptsNothing() {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let file = socket(AF_INET, stream, 0)
    var limit = timeval(tv_sec: 4, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    listen(file, 1)
    let (accepted, reason) = (accept(file, nil, nil), errno)
    #expect(accepted == -1 && reason == EAGAIN)
    close(file)
  }

  /// Explained after a second, and quiet for four.
  @Test(.explainsHang(after: .seconds(1))) func isExplained() async throws { try await Task.sleep(for: .seconds(4)) }
}

private actor Flag {
  private(set) var isRaised = false
  func raise() { isRaised = true }
}
