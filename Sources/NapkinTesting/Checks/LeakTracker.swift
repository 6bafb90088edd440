// SPDX-License-Identifier: Apache-2.0
internal import Napkin
internal import Synchronization

/// The interactors, routers and doubles that one test has made, and those that are still alive.
///
/// Tests run in parallel in one process, so only objects that are made by the task of the test, or by a task that inherits
/// its task-locals, are entered. Their end is matched by number or identity, since an `isolated deinit` inherits nothing.
final class LeakTracker: LifetimeObserver, LifecycleObserver {
  private struct State: Sendable {
    var lastNumber = 0
    var names: [Int: String] = [:]
    var numbers: [LifecycleEvent.ID: Int] = [:]
    var active: Set<Int> = []
    var interactors: [LifecycleEvent.ID: Interactor] = [:]

    mutating func enter(_ name: String) -> Int {
      lastNumber += 1
      names[lastNumber] = name
      return lastNumber
    }

    mutating func remove(_ number: Int?) {
      guard let number else { return }
      names[number] = nil
      active.remove(number)
    }
  }

  private struct Interactor: Sendable {
    weak var object: (any Interactable)?
    let router: LifecycleEvent.ID
  }

  private let state = Mutex(State())

  let recorded = RecordedObjects()

  /// The number of objects that were made.
  var total: Int { state.withLock { $0.lastNumber } }

  /// The names of the objects that are alive, in the order in which they were made; several of one name once, with their number.
  var alive: [String] {
    let names = state.withLock { state in
      state.names.sorted { $0.key < $1.key }.map { state.active.contains($0.key) ? "\($0.value) (active)" : $0.value }
    }
    let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    var shown: Set<String> = []
    return names.filter { shown.insert($0).inserted }.map { counts[$0] == 1 ? $0 : "\(counts[$0]!) \($0)" }
  }

  /// The properties that close a cycle of objects that are alive, such as `HomeRouter.interactor.router holds HomeRouter`.
  ///
  /// Only in a simulated execution: anywhere else another thread may release an object while it is looked at.
  var cycle: [String] {
    guard CurrentExecution.scope?.isSimulated == true else { return [] }
    let (objects, interactors) = state.withLock { state in
      let objects = state.numbers.compactMap { id, number in
        state.names[number].map { (id: id, name: $0, number: number) }
      }
      // A router that is left leads to its interactor by itself.
      let lone = state.interactors.filter { state.numbers[$0.value.router] == nil }
      return (objects.sorted { $0.number < $1.number }, lone.compactMapValues { $0.object })
    }
    let holders = RetainPathFinder.holders(of: objects.map { ($0.id, $0.name) }, interactors: interactors)
    let held = objects.filter { isHeldByItself($0.id, holders) }.map { (path: holders[$0.id]!.path, name: $0.name) }
    // A child is attached as long as its parent is there: nothing of the user's that could be made weak.
    let own = held.filter { !$0.path.contains(".children[") }
    return (own.isEmpty ? held : own).map { "\($0.path) holds \($0.name)" }
  }

  private func isHeldByItself(_ id: LifecycleEvent.ID, _ holders: [LifecycleEvent.ID: RetainPathFinder.Holder]) -> Bool
  {
    var origin = holders[id]?.origin
    for _ in 0..<holders.count where origin != nil && origin != id { origin = holders[origin!]?.origin }
    return origin == id
  }

  func began(_ name: String) -> Int {
    state.withLock { $0.enter(name) }
  }

  func ended(_ number: Int) {
    state.withLock { $0.remove(number) }
  }

  func lifecycle(_ event: LifecycleEvent) {
    switch event {
    case .lifecycleCreated(let id, let owner):
      enter(id, named: owner)
    case .routerCreated(let id, let name, let lifecycle):
      enter(id, named: name)
      guard CurrentExecution.scope?.isSimulated == true, let object = RetainPathFinder.interactor(of: event) else {
        return
      }
      state.withLock { $0.interactors[lifecycle] = Interactor(object: object, router: id) }
    case .lifecycleDeinit(let id), .routerDeinit(let id):
      state.withLock {
        $0.remove($0.numbers.removeValue(forKey: id))
        $0.interactors[id] = nil
      }
    case .activated(let id):
      state.withLock { state in state.numbers[id].map { _ = state.active.insert($0) } }
    case .deactivated(let id):
      state.withLock { state in state.numbers[id].map { _ = state.active.remove($0) } }
    default:
      return
    }
  }

  private func enter(_ id: LifecycleEvent.ID, named name: String) {
    guard Lifetime.observer === self else { return }
    state.withLock { $0.numbers[id] = $0.enter(name) }
  }
}
