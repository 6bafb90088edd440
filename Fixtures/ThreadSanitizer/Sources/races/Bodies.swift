// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

final actor Worker: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// Work is bound from many threads while the scope ends and begins again, and is watched meanwhile.
func bindAndCancel() async {
  let worker = Worker()
  await withTaskGroup { group in
    for number in 0..<8 {
      group.addTask {
        if number % 4 == 0 { await worker.activate() }
        for _ in 0..<20 { worker.task { await Task.yield() } }
        if number % 4 == 1 { await worker.deactivate() }
        for await _ in worker.isActiveStream { break }
      }
    }
    group.addTask { await worker.activate() }
    await group.waitForAll()
  }
  await worker.deactivate()
}

final class Kitchen: Component<EmptyDependency>, @unchecked Sendable {
  final class Oven: Sendable {}
  var oven: Oven { shared { Oven() } }
  var ovens: [Oven] { shared { [oven, oven] } }
}

/// A component is asked for its instances by many threads at once.
func shareAComponent() async {
  let kitchen = Kitchen(dependency: EmptyComponent())
  let ovens = await withTaskGroup { group in
    for number in 0..<8 { group.addTask { number % 2 == 0 ? kitchen.oven : kitchen.ovens[0] } }
    return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert(ObjectIdentifier($1)) }
  }
  precondition(ovens.count == 1)
}

final class Till: @unchecked Sendable {
  var cents = 0
}

/// The race that has to be reported: were it not, a clean run would say nothing.
func race() async {
  let till = Till()
  await withTaskGroup { group in
    // Long enough that no single thread of the pool can have taken them all before a second one wakes up.
    for _ in 0..<8 { group.addTask { for _ in 0..<200_000 { till.cents += 1 } } }
  }
}
