// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The work that is bound to one lifecycle's active scope, in the order of its registration (L6).
///
/// It is guarded by the lifecycle's lock, which only registering takes: a task that begins or ends touches no more than
/// the marks of its page, so many of them do not queue up.
struct BoundTasks {
  private let scope: TaskScope
  private var last: UInt64 = 0
  private var pages: [TaskPage] = []
  /// Pages all of whose work has ended are dropped at this count: a registration's cost stays constant on average.
  private var sweepsAt = 2

  init(of lifecycle: ObjectIdentifier) { scope = TaskScope(of: lifecycle) }

  /// How much work is registered and has not ended.
  var count: Int { bonds.count { !$0.isFinished } }

  /// How much is remembered, the finished that have not been dropped included.
  var held: Int { bonds.count }

  private var bonds: [Bond] { pages.flatMap { $0.bonds(upTo: last) } }

  /// Admits one piece of work, whose task is then created outside the lock.
  mutating func admit() -> Bond {
    last += 1
    if let bond = pages.last?.bond(last) { return bond }
    if pages.count == sweepsAt {
      pages.removeAll(where: \.isSpent)
      sweepsAt = max(2, pages.count * 2)
    }
    let page = TaskPage(in: scope, from: last)
    pages.append(page)
    return page.bond(last).unsafelyUnwrapped
  }

  /// Ends the scope and returns what is to be cancelled.
  mutating func close(forGood: Bool = false) -> Remainder {
    if forGood { scope.isOrphaned.store(true, ordering: .relaxed) }
    scope.lastClosed.store(last, ordering: .sequentiallyConsistent)
    defer { pages = [] }
    return Remainder(bonds: bonds)
  }

  /// What the end of a scope found unfinished; it is cancelled outside every lock, the oldest first.
  struct Remainder: Sendable {
    fileprivate let bonds: [Bond]

    func cancel() {
      for bond in bonds { bond.cancel() }
    }
  }
}

/// What the tasks of one lifecycle hold instead of it, since they must not keep it alive (L8).
final class TaskScope: Sendable {
  /// The last number whose scope has ended: it may not begin any more.
  let lastClosed = Atomic<UInt64>(0)
  /// Set when the lifecycle goes: its identity may be another's from then on, so nothing is told under it any more.
  let isOrphaned = Atomic<Bool>(false)
  let owner: ObjectIdentifier

  init(of lifecycle: ObjectIdentifier) { owner = lifecycle }
}
