// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct FuzzModelTests {
  private actor Shelf {
    private var items: Set<Int> = []
    private let limit: Int
    init(limit: Int = .max) { self.limit = limit }
    var contents: Set<Int> { items }
    func put(_ item: Int) { if items.count < limit { items.insert(item) } }
    func take(_ item: Int) -> Bool { items.remove(item) != nil }
  }

  /// Only items on the shelf are taken, and each item is put there once.
  private func shelf(
    _ model: FuzzModel<Set<Int>>, limit: Int = .max, missed: @escaping @Sendable () -> Void = {}
  ) -> Fuzzer<Shelf> {
    Fuzzer { Shelf(limit: limit) }
      .action(
        FuzzAction("put", with: .drawn(from: model, { .int(in: 0...9).filterNot($0) }, updating: { $0.insert($1) })) {
          await $0.put($1)
        }
      )
      .action(
        FuzzAction(
          "take",
          with: .drawn(from: model, { $0.isEmpty ? nil : .element(of: $0.sorted()) }, updating: { $0.remove($1) })
        ) {
          if !(await $0.take($1)) { missed() }
        }
      )
      .invariant("as the model says", of: model) { await $0.contents == $1 }
  }

  @Test func `the state of a model decides what is drawn, so nothing is skipped`() async {
    let model = FuzzModel<Set<Int>>("shelf", [])
    let misses = Mutex(0)
    let fuzzer = shelf(model) { misses.withLock { $0 += 1 } }
    let result = await fuzzer.run(executions: 300, concurrency: 1, seed: 1)
    #expect(result.failure == nil)
    #expect(misses.withLock { $0 } == 0)
    #expect(result.warnings == [])
  }

  @Test func `a system that is not as its model is found with as few actions as show it`() async throws {
    let model = FuzzModel<Set<Int>>("shelf", [])
    let result = await shelf(model, limit: 2).run(executions: 300, concurrency: 1, seed: 1)
    let failure = try #require(result.failure)
    #expect(failure.messages.contains("Broken at rest: as the model says."))
    #expect(failure.draws.first?.count { $0 == "→" } == 2, "\(failure.draws)")
  }

  @Test func `an action that a model does not allow is not drawn`() async {
    let count = FuzzModel("opened", 0)
    let counted = Mutex(Set<Int>())
    let result = await Fuzzer { Mutex0() }
      .action(FuzzAction("open") { $0.add(1) }.when(count) { $0 == 0 }.updating(count) { $0 = 1 })
      .action(FuzzAction("close") { $0.add(-1) }.when(count) { $0 == 1 }.updating(count) { $0 = 0 })
      .invariant("open or closed, once") { system in
        counted.withLock { _ = $0.insert(system.value) }
        return system.value == 0 || system.value == 1
      }
      .run(executions: 200, concurrency: 1, seed: 1)
    #expect(result.failure == nil)
    #expect(result.warnings == [])
    #expect(counted.withLock { $0 } == [0, 1])
  }

  @Test func `a state in which nothing is allowed makes a shorter program`() async {
    let once = FuzzModel("done", false)
    let runs = Mutex(0)
    let result = await Fuzzer { 0 }
      .action(FuzzAction("do") { _ in runs.withLock { $0 += 1 } }.when(once) { !$0 }.updating(once) { $0 = true })
      .run(executions: 50, actions: 3...5, concurrency: 1, seed: 1)
    #expect(result.failure == nil)
    #expect(runs.withLock { $0 } == 50)
  }

  @Test func `after a skipped action a model is not compared any more`() async {
    let model = FuzzModel("count", 0)
    let result = await Fuzzer { Mutex0() }
      .action(FuzzAction("add") { $0.add(1) }.when { $0.value < 2 }.updating(model) { $0 += 1 })
      .invariant("as counted", of: model) { $0.value == $1 }
      .run(executions: 100, concurrency: 1, seed: 1)
    #expect(result.failure == nil)
  }

  private final class Mutex0: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add(_ number: Int) { count.withLock { $0 += number } }
  }
}

extension Gen<Int> {
  /// Values that are not in a set; nil where all are.
  fileprivate func filterNot(_ used: Set<Int>) -> Gen<Int>? {
    let free = (0...9).filter { !used.contains($0) }
    return free.isEmpty ? nil : .element(of: free)
  }
}
