// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// A bug that one machine looks for long, and a search of some thousand schedules.
@Suite(.serialized) struct FleetTests {
  /// It opens once its three keys have been turned in one order, without another turn between.
  actor Lock {
    private static let order = [0, 1, 2, 2, 1, 0, 1, 0, 2, 0]
    private var turned = 0
    var isOpen: Bool { turned == Self.order.count }

    func turn(_ key: Int) {
      guard !isOpen else { return }
      turned = key == Self.order[turned] ? turned + 1 : key == Self.order[0] ? 1 : 0
    }
  }

  // Not shrunk, since it is the search that is measured.
  @Test func `the lock stays shut`() async {
    await Explorer(executions: 1_000_000, shrinks: false).check {
      let lock = Lock()
      await withTaskGroup { group in
        for key in 0..<3 {
          group.addTask { for _ in 0..<6 { await lock.turn(key) } }
        }
      }
      #expect(await !lock.isOpen)
    }
  }

  @Test(.interleavings(90, strategy: .random)) func `every order is random`() async {
    let lock = Lock()
    async let first: Void = lock.turn(0)
    async let second: Void = lock.turn(1)
    async let third: Void = lock.turn(2)
    _ = await (first, second, third)
  }

  @Test(.interleavings(100_000, strategy: .exhaustive())) func `each order is one of the exhaustive search`() async {
    let order = Recorder<Int>()
    await withTaskGroup { group in
      for task in 0..<3 {
        group.addTask {
          for _ in 0..<2 {
            order.record(task)
            await Task.yield()
          }
        }
      }
    }
    print("order \(order.events)")
  }

  // With seed 7 one of the 400 executions draws it.
  @Test(.interleavings(400, seed: 7)) func `a condition that one shard meets`() {
    Execution.sometimes("the rare draw", Execution.draw(.int(in: 0...399)) == 7)
  }

  @Test(.interleavings(400)) func `a condition that none meets`() {
    Execution.sometimes("never", false)
  }

  @Test(.interleavings(20)) func `every execution is discarded`() {
    _ = Execution.draw(.int(in: 0...9).filter { $0 > 9 })
  }
}
