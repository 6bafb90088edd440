// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ReadyQueueTests {
  /// Runs a given number of tasks that are all ready at once, and twice in a row, and returns in which order they ran.
  private func order(of count: Int, _ strategy: Explorer.Strategy) async -> [Int] {
    let ran = Recorder<Int>()
    let result = await Explorer(executions: 1, strategy: strategy, seed: 7).run {
      for round in 0..<2 {
        let tasks = (0..<count).map { number in
          Task { ran.record(round * count + number) }
        }
        for task in tasks { await task.value }
      }
    }
    #expect(result.failure == nil)
    return ran.events
  }

  @Test(arguments: [1, 63, 64, 65, 500])
  func `tasks of any number run in the order in which they became ready`(_ count: Int) async {
    #expect(await order(of: count, .fifo) == Array(0..<2 * count))
  }

  @Test(arguments: [Explorer.Strategy.random, .pct(depth: 3), .pos])
  func `each of many tasks runs once, in whatever order it is picked`(_ strategy: Explorer.Strategy) async {
    let order = await order(of: 500, strategy)
    #expect(order != Array(0..<1_000))
    #expect(order.sorted() == Array(0..<1_000))
  }

  /// The rank that the rule names, which looks at all jobs: those that reached the target's queue before the picked one could.
  private func firstByRule(_ ready: borrowing ReadyQueue, insteadOf picked: Int) -> Int {
    let job = ready[picked]
    guard job.target != 0 else { return picked }
    var first = picked
    for rank in 0..<ready.count where ready[rank].target == job.target && ready[rank].order < ready[first].order {
      let other = ready[rank]
      if other.latest < job.order || (job.source != 0 && other.source == job.source) { first = rank }
    }
    return first
  }

  @Test(arguments: [false, true])
  func `the job that runs instead of another one is the rule's, whatever was put back`(_ putsBack: Bool) {
    var random = SplitMix64(seed: putsBack ? 1 : 2)
    var ready = ReadyQueue()
    var (kept, order, replaced) = ([ReadyJob](), Int32(0), 0)
    for _ in 0..<5_000 {
      let count = ready.count
      switch random.next(below: 5) {
      case 0 where count > 0:
        let job = ready.remove(at: Int(random.next(below: UInt64(count))))
        if putsBack { kept.append(job) }
      case 1 where !kept.isEmpty: _ = ready.putBack(kept.removeFirst())
      case 2 where putsBack && count > 0:
        ready[count - 1].level = Int32(random.next(below: 3))
        ready.settleLast()
      case 3: ready.arriveAll(from: UInt(random.next(below: 3)), at: order)
      default:
        order += 1
        var job = ReadyJob(
          job: UnsafeMutableRawPointer(bitPattern: Int(order))!, task: Int(order), target: UInt(random.next(below: 3)),
          implementation: 0, source: UInt(random.next(below: 3)), arrival: .hopped)
        job.order = order
        job.latest = random.next(below: 2) == 0 ? order : .max
        _ = ready.append(job)
      }
      while ready.count > 12 { _ = ready.remove(at: Int(random.next(below: 12))) }
      for picked in 0..<ready.count {
        let first = ready.first(insteadOf: picked)
        let expected = firstByRule(ready, insteadOf: picked)
        #expect(first == expected)
        if first != picked { replaced += 1 }
      }
    }
    #expect(replaced > 5_000)
  }
}
