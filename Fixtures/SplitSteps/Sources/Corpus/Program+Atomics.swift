// SPDX-License-Identifier: Apache-2.0

import Synchronization

// What orders tasks by atomic operations: the reader waits for the flag, so that the two accesses come one after the other.

private final class Flag: Sendable {
  let isSet = Atomic(0)
}

private func published(
  _ order: String, race isRace: Bool, by publish: @escaping @Sendable (borrowing Atomic<Int>) -> Void,
  _ isPublished: @escaping @Sendable (borrowing Atomic<Int>) -> Bool
) -> Program {
  Program(order, race: isRace, access: "write and read") {
    let plain = Plain()
    let flag = Flag()
    await both(
      {
        plain.number = 1
        publish(flag.isSet)
      },
      {
        for _ in 0..<1_000_000 where isPublished(flag.isSet) {
          use(plain.number)
          break
        }
      })
  }
}

extension Program {
  static let atomics = [
    published(
      "releasing store, acquiring load", race: false, by: { $0.store(1, ordering: .releasing) },
      { $0.load(ordering: .acquiring) == 1 }),
    published(
      "sequentially consistent", race: false, by: { $0.store(1, ordering: .sequentiallyConsistent) },
      { $0.load(ordering: .sequentiallyConsistent) == 1 }),
    published(
      "relaxed store, acquiring load", race: true, by: { $0.store(1, ordering: .relaxed) },
      { $0.load(ordering: .acquiring) == 1 }),
    published(
      "releasing store, relaxed load", race: true, by: { $0.store(1, ordering: .releasing) },
      { $0.load(ordering: .relaxed) == 1 }),
    published(
      "releasing change, acquiring change", race: false, by: { $0.add(1, ordering: .releasing) },
      { $0.compareExchange(expected: 1, desired: 2, ordering: .acquiring).exchanged }),
    published(
      "relaxed change, acquiring change", race: true, by: { $0.add(1, ordering: .relaxed) },
      { $0.compareExchange(expected: 1, desired: 2, ordering: .acquiring).exchanged }),
    Program("no order", race: false, storage: "atomic", access: "two writes") {
      let flag = Flag()
      await both({ flag.isSet.store(1, ordering: .relaxed) }, { flag.isSet.store(2, ordering: .relaxed) })
    },
  ]
}
