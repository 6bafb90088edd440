// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

private final class Count: @unchecked Sendable {
  static nonisolated(unsafe) var live = 0
  var number = 0
  var numbers = [0, 0]
  func raise() { number += 1 }
}

nonisolated(unsafe) private var liveObjects = 0

private func leave(_ number: inout Int) { number -= 1 }

private final class ByProperty: Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { count.number += 1 }
}
private final class ByTwoAccesses: Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { count.number = count.number + 1 }
}
private final class ByMethod: Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { count.raise() }
}
private final class ByInout: Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { leave(&count.number) }
}
private final class ByElement: Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { count.numbers[0] += 1 }
}
private final class ByClosure: Sendable {
  let ends: @Sendable () -> Void
  init(_ count: Count) { ends = { count.number += 1 } }
  deinit { ends() }
}
private final class ByGlobal: Sendable {
  init(_ count: Count) {}
  deinit { liveObjects -= 1 }
}
private final class ByStatic: Sendable {
  init(_ count: Count) {}
  deinit { Count.live -= 1 }
}
private final class ByMember: Sendable {
  let member: ByProperty
  init(_ count: Count) { member = ByProperty(count) }
}
private final class ByElements: Sendable {
  let members: [ByProperty]
  init(_ count: Count) { members = [ByProperty(count)] }
}
private class Base: @unchecked Sendable {
  let count: Count
  init(_ count: Count) { self.count = count }
  deinit { count.number += 1 }
}
private final class ByBase: Base, @unchecked Sendable {}
/// Objects that change something at their ends, each of which a task of its own has.
@Suite struct DeinitTests {
  private static let ends: [(name: String, end: @Sendable (Count) -> Void)] = [
    ("property", { _ = ByProperty($0) }), ("two accesses", { _ = ByTwoAccesses($0) }),
    ("method", { _ = ByMethod($0) }), ("inout", { _ = ByInout($0) }), ("element", { _ = ByElement($0) }),
    ("closure", { _ = ByClosure($0) }), ("global", { _ = ByGlobal($0) }), ("static", { _ = ByStatic($0) }),
    ("member", { _ = ByMember($0) }), ("elements", { _ = ByElements($0) }), ("base", { _ = ByBase($0) }),
  ]

  @Test(arguments: ends.indices)
  func `two objects race that count at their ends without a lock`(_ index: Int) async {
    let end = Self.ends[index].end
    let exploration = await Explorer(executions: 20, seed: 1, shrinks: false).run {
      let count = Count()
      async let one: Void = end(count)
      async let two: Void = end(count)
      _ = await (one, two)
    }
    #expect(exploration.failure?.diagnostics.map(\.kind) == [.dataRace], "\(Self.ends[index].name)")
  }

  /// An object that tasks share, which the last of them to release it ends.
  private final class Shared: @unchecked Sendable {
    var numbers = [1, 2, 3]
    let count: Count
    let member = Count()
    init(_ count: Count) { self.count = count }
    deinit {
      numbers.removeAll()
      member.number += 1
      count.number += 1
    }
  }

  private static func users(of shared: Shared) -> [Task<Void, Never>] {
    [Task.detached { _ = shared.count.number }, Task.detached { _ = shared.numbers.count + shared.member.number }]
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `an object's end comes after what each task did before it released the object`(_ seed: UInt64) async {
    let bodies: [@Sendable () async -> Void] = [
      // Each has a reference, which it gives back when it has ended.
      {
        let tasks = Self.users(of: Shared(Count()))
        for task in tasks { await task.value }
      },
      // In arrays, whose elements the library gives back.
      {
        let all = [Shared(Count()), Shared(Count())]
        let tasks = (0..<2).map { _ in Task.detached { _ = all.map(\.numbers.count) + all.map(\.count.number) } }
        for task in tasks { await task.value }
      },
      // Each takes it out of a lock's value.
      {
        let shared = Shared(Count())
        let kept = Kept(Mutex<[Shared]>([shared, shared]))
        let tasks = (0..<2).map { _ in
          Task.detached {
            var own = kept.value.withLock { [$0.removeLast()] }
            _ = own[0].count.number
            own.removeAll()
          }
        }
        for task in tasks { await task.value }
      },
    ]
    for (index, body) in bodies.enumerated() {
      let exploration = await Explorer(executions: 300, seed: seed, shrinks: false).run {
        await body()
      }
      #expect(exploration.failure == nil, "body \(index): \(exploration.failure?.messages ?? [])")
    }
  }

  /// An object of one variable, which its maker may change by a pointer, too.
  private final class Holder: @unchecked Sendable {
    let number: UnsafeMutablePointer<Int>
    init(_ number: UnsafeMutablePointer<Int>) { self.number = number }
    deinit {
      number.pointee += 1
      number.deallocate()
    }
  }

  @Test func `memory that other threads give back hides no access to other memory`() async {
    let isDone = Kept(Atomic(false))
    let thread = Thread {
      while !isDone.value.load(ordering: .relaxed) {
        let blocks = (1...16).map { UnsafeMutableRawPointer.allocate(byteCount: 16 * $0, alignment: 16) }
        for block in blocks { block.deallocate() }
      }
    }
    thread.start()
    let exploration = await Explorer(executions: 500, seed: 1, shrinks: false).run {
      let shared = Kept(Mutex<[Holder]>([]))
      async let one: Void = {
        let numbers = (0..<100).map { _ in UnsafeMutablePointer<Int>.allocate(capacity: 1) }
        let holders = numbers.map(Holder.init)
        shared.value.withLock { $0 = holders }
        for number in numbers { number.pointee = 1 }
        withExtendedLifetime(holders) {}
      }()
      async let two: Void = { _ = shared.value.withLock { exchange(&$0, with: []) } }()
      _ = await (one, two)
    }
    isDone.value.store(true, ordering: .relaxed)
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }
}
