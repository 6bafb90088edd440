// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Synchronization
import Testing

// Its header declares it for GNU sources alone.
@_silgen_name("sched_getaffinity")
private func getAffinity(_ thread: Int32, _ size: Int, _ set: UnsafeMutablePointer<UInt64>) -> Int32

/// The threads of an execution run one at a time on one processor, and nothing else is kept there.
@Suite struct ProcessorTests {
  /// How many processors the calling thread may run on.
  private static func processors() -> Int {
    var set = [UInt64](repeating: 0, count: 16)
    return getAffinity(0, 128, &set) < 0 ? 0 : set.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  @Test func `an exploration gives the main thread back as it was`() async {
    let before = await MainActor.run { Self.processors() }
    let numbers = Kept(Mutex<Set<Int>>([]))
    let exploration = await Explorer(executions: 50, seed: 1).run {
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { numbers.value.withLock { _ = $0.insert(Self.processors()) } } }
      }
    }
    #expect(exploration.failure == nil && exploration.warnings == [])
    #expect(numbers.value.withLock { $0 } == [1])
    #expect(await MainActor.run { Self.processors() } == before)
  }

  @Test func `a thread that a library makes for itself runs anywhere`() async throws {
    let before = await MainActor.run { Self.processors() }
    let numbers = Kept(Mutex<Set<Int>>([]))
    _ = await Explorer(executions: 1, seed: 1).run {
      // Its queue has no thread yet, and the task's own makes one.
      let source = DispatchSource.makeUserDataAddSource(queue: .global(qos: .background))
      source.setEventHandler {
        numbers.value.withLock { _ = $0.insert(Self.processors()) }
        source.cancel()
      }
      source.resume()
      source.add(data: 1)
      await Task.yield()
    }
    for _ in 0..<500 where numbers.value.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(numbers.value.withLock { $0 } == [before])
  }
}
