// SPDX-License-Identifier: Apache-2.0
internal import Napkin

/// Everything that one test has made and that tells of its end: interactors, routers and the doubles of the kit.
///
/// Tests run side by side in one process, so only what is made by the test's own task, or by a task that inherited its
/// task-locals, is entered. What ends is known by its number or its identity, since an `isolated deinit` inherits nothing.
final class LeakLedger: LifetimeLedger, LifecycleObserver {
  private struct Book: Sendable {
    var lastNumber = 0
    var names: [Int: String] = [:]
    var numbers: [LifecycleEvent.ID: Int] = [:]
    var active: Set<Int> = []

    mutating func enter(_ name: String) -> Int {
      lastNumber += 1
      names[lastNumber] = name
      return lastNumber
    }

    mutating func strike(_ number: Int?) {
      guard let number else { return }
      names[number] = nil
      active.remove(number)
    }
  }

  private let book = Monitored(Book())

  /// How many things have been made.
  var total: Int { book.read { $0.lastNumber } }

  /// The names of what has not gone yet, in the order in which it was made.
  var alive: [String] {
    book.read { book in
      book.names.sorted { $0.key < $1.key }.map { book.active.contains($0.key) ? "\($0.value) (active)" : $0.value }
    }
  }

  func began(_ name: String) -> Int {
    book.update { $0.enter(name) }
  }

  func ended(_ number: Int) {
    book.update { $0.strike(number) }
  }

  /// Waits until everything has gone, but not for longer than this.
  nonisolated(nonsending) func isCleared(within timeout: Duration) async -> Bool {
    if let scope = CurrentExecution.scope, scope.isSimulated {
      await scope.quiescence()
    } else {
      _ = await book.wait(until: Deadline(after: timeout)) { $0.names.isEmpty ? () : nil }
    }
    return alive.isEmpty
  }

  func lifecycle(_ event: LifecycleEvent) {
    switch event {
    case .lifecycleCreated(let id, let owner):
      enter(id, named: owner)
    case .routerCreated(let id, let name, _):
      enter(id, named: name)
    case .lifecycleDeinit(let id), .routerDeinit(let id):
      book.update { $0.strike($0.numbers.removeValue(forKey: id)) }
    case .activated(let id):
      book.update { book in book.numbers[id].map { _ = book.active.insert($0) } }
    case .deactivated(let id):
      book.update { book in book.numbers[id].map { _ = book.active.remove($0) } }
    default:
      return
    }
  }

  private func enter(_ id: LifecycleEvent.ID, named name: String) {
    guard Lifetime.ledger === self else { return }
    book.update { $0.numbers[id] = $0.enter(name) }
  }
}
