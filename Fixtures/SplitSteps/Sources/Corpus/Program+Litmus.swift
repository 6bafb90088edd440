// SPDX-License-Identifier: Apache-2.0

import Meeting
import Synchronization

// Litmus programs under their usual names, each with plain accesses that its atomics order or do not: the verdict is that of C11.
//
// A task publishes by a flag what it has written, and another one that reads the flag uses it.

/// Two flags, and what they publish.
private final class Shared: Sendable {
  let x = Atomic(0)
  let y = Atomic(0)
  let first = Plain()
  let second = Plain()
}

/// Runs functions at the same time, each in a task.
private func together(_ works: [@Sendable (Shared) -> Void]) async {
  let shared = Shared()
  await withTaskGroup { group in
    for work in works {
      group.addTask {
        meet()
        work(shared)
      }
    }
  }
}

/// How a flag is stored and loaded: its two operations, and the fences around them.
private struct Way {
  let name: String
  let isRace: Bool
  let store: @Sendable (borrowing Atomic<Int>, Int) -> Void
  let load: @Sendable (borrowing Atomic<Int>) -> Int

  static let ordered = [
    Way(
      name: "releasing and acquiring", isRace: false, store: { $0.store($1, ordering: .releasing) },
      load: { $0.load(ordering: .acquiring) }),
    Way(
      name: "sequentially consistent", isRace: false, store: { $0.store($1, ordering: .sequentiallyConsistent) },
      load: { $0.load(ordering: .sequentiallyConsistent) }),
    Way(
      name: "fences",
      isRace: false,
      store: {
        atomicMemoryFence(ordering: .releasing)
        $0.store($1, ordering: .relaxed)
      },
      load: {
        let value = $0.load(ordering: .relaxed)
        atomicMemoryFence(ordering: .acquiring)
        return value
      }),
  ]
  static let unordered = [
    Way(
      name: "relaxed", isRace: true, store: { $0.store($1, ordering: .relaxed) }, load: { $0.load(ordering: .relaxed) }),
    Way(
      name: "relaxed and acquiring", isRace: true, store: { $0.store($1, ordering: .relaxed) },
      load: { $0.load(ordering: .acquiring) }),
    Way(
      name: "releasing and relaxed", isRace: true, store: { $0.store($1, ordering: .releasing) },
      load: { $0.load(ordering: .relaxed) }),
    Way(
      name: "fences on the wrong side",
      isRace: true,
      store: {
        $0.store($1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
      },
      load: {
        atomicMemoryFence(ordering: .acquiring)
        return $0.load(ordering: .relaxed)
      }),
  ]
}

/// Waits for a flag to have a value, for a while; returns whether it has.
private func sees(_ value: Int, _ isRead: () -> Int) -> Bool {
  for _ in 0..<100_000 where isRead() == value { return true }
  return false
}

private func litmus(_ name: String, _ way: Way, _ works: [@Sendable (Shared) -> Void]) -> Program {
  Program(way.name, race: way.isRace, storage: "litmus", access: name) { await together(works) }
}

private func passages(_ way: Way) -> [Program] {
  let (store, load) = (way.store, way.load)
  let publishesX: @Sendable (Shared) -> Void = {
    $0.first.number = 1
    store($0.x, 1)
  }
  let publishesY: @Sendable (Shared) -> Void = {
    $0.second.number = 1
    store($0.y, 1)
  }
  let readsX: @Sendable (Shared) -> Void = { shared in
    if sees(1, { load(shared.x) }) { use(shared.first.number) }
  }
  let readsY: @Sendable (Shared) -> Void = { shared in
    if sees(1, { load(shared.y) }) { use(shared.second.number) }
  }
  return [
    litmus("MP", way, [publishesX, readsX]),
    litmus(
      "SB", way,
      [
        { shared in
          publishesX(shared)
          readsY(shared)
        },
        { shared in
          publishesY(shared)
          readsX(shared)
        },
      ]),
    // Only the second one waits for what it looks for.
    litmus(
      "LB", way,
      [
        { shared in
          if load(shared.x) == 1 { use(shared.first.number) }
          publishesY(shared)
        },
        { shared in
          readsY(shared)
          publishesX(shared)
        },
      ]),
    litmus(
      "IRIW", way,
      [
        publishesX, publishesY,
        { shared in
          readsX(shared)
          readsY(shared)
        },
        { shared in
          readsY(shared)
          readsX(shared)
        },
      ]),
    litmus(
      "WRC", way,
      [
        publishesX,
        { shared in if sees(1, { load(shared.x) }) { store(shared.y, 1) } },
        { shared in if sees(1, { load(shared.y) }) { use(shared.first.number) } },
      ]),
  ]
}

/// The one that reads sees a second store by each of the two, after whichever fence these have.
private func doubleStores(_ way: Way) -> Program {
  let (store, load) = (way.store, way.load)
  return litmus(
    "2+2W", way,
    [
      { shared in
        shared.first.number = 1
        store(shared.x, 1)
        store(shared.y, 2)
      },
      { shared in
        shared.second.number = 1
        store(shared.y, 1)
        store(shared.x, 2)
      },
      { shared in
        for _ in 0..<100_000 {
          let (x, y) = (load(shared.x), load(shared.y))
          if x == 2 { use(shared.second.number) }
          if y == 2 { use(shared.first.number) }
          if x == 2 || y == 2 { break }
        }
      },
    ])
}

/// Two that exclude each other: each says that it comes, and goes in if the other one has not said so.
private let dekker = Program("sequentially consistent", race: false, storage: "litmus", access: "SB, exclusive") {
  await together([
    { shared in
      shared.x.store(1, ordering: .sequentiallyConsistent)
      if shared.y.load(ordering: .sequentiallyConsistent) == 0 { shared.first.number = 1 }
    },
    { shared in
      shared.y.store(1, ordering: .sequentiallyConsistent)
      if shared.x.load(ordering: .sequentiallyConsistent) == 0 { shared.first.number = 2 }
    },
  ])
}

/// The same with fences in place of orders.
private let fencedDekker = Program("fences", race: false, storage: "litmus", access: "SB, exclusive") {
  await together([
    { shared in
      shared.x.store(1, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if shared.y.load(ordering: .relaxed) == 0 { shared.first.number = 1 }
    },
    { shared in
      shared.y.store(1, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if shared.x.load(ordering: .relaxed) == 0 { shared.first.number = 2 }
    },
  ])
}

/// The same with weaker orders, by which both may go in, in no sequentially consistent execution.
private let weakDekker = Program("releasing and acquiring", race: true, storage: "litmus", access: "SB, exclusive") {
  await together([
    { shared in
      shared.x.store(1, ordering: .releasing)
      if shared.y.load(ordering: .acquiring) == 0 { shared.first.number = 1 }
    },
    { shared in
      shared.y.store(1, ordering: .releasing)
      if shared.x.load(ordering: .acquiring) == 0 { shared.first.number = 2 }
    },
  ])
}

/// What comes between a releasing store of one and an acquiring load of two.
private func sequence(_ order: String, race isRace: Bool, _ between: @escaping @Sendable (Shared) -> Void) -> Program {
  Program(order, race: isRace, storage: "litmus", access: "release sequence") {
    await together([
      { shared in
        shared.first.number = 1
        shared.x.store(1, ordering: .releasing)
      },
      between,
      { shared in if sees(2, { shared.x.load(ordering: .acquiring) }) { use(shared.first.number) } },
    ])
  }
}

/// A change goes on with the sequence, in whichever order.
private let exchange = sequence("relaxed exchange", race: false) { shared in
  for _ in 0..<100_000 {
    let result = shared.x.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
    if result.exchanged { break }
  }
}

/// A store of another task ends it.
private let otherStore = sequence("relaxed store of another task", race: true) { shared in
  if sees(1, { shared.x.load(ordering: .relaxed) }) { shared.x.store(2, ordering: .relaxed) }
}

extension Program {
  static let litmus: [Program] = {
    var all = (Way.ordered + Way.unordered).flatMap(passages)
    // Before its second store each has passed a fence, and before its second load the reader has: on the wrong side is none.
    all += (Way.ordered + Way.unordered.filter { !$0.name.hasPrefix("fences") }).map(doubleStores)
    all += [dekker, fencedDekker, weakDekker, exchange, otherStore]
    return all
  }()
}
