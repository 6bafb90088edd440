// SPDX-License-Identifier: Apache-2.0

/// The views of a slot, which follow its children one change at a time.
@MainActor
final class SlotViews {
  typealias Occupant = SlotPlace.Occupant
  typealias Transition = @MainActor (_ leaving: (any Routing)?, _ coming: (any Routing)?) async -> Void

  private let transition: Transition
  weak var place: SlotPlace?
  /// The child that came in the last transition, which may be under way.
  private var shown: Occupant?
  private var wanted: Occupant?
  private var isChanging = false
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(_ transition: @escaping Transition) { self.transition = transition }

  /// Forgets a child whose transition has not begun.
  func withdraw() { wanted = shown }

  /// Shows a child, and returns when no transition is under way, or at once inside one.
  func show(_ next: Occupant?) async {
    wanted = next
    guard !isChanging else {
      // It would wait for its own caller.
      if SlotTransition.current.contains(ObjectIdentifier(self)) { return }
      return await withUnsafeContinuation { waiting.append($0) }
    }
    isChanging = true
    while shown?.router !== wanted?.router {
      let leaving = shown
      shown = wanted
      let (from, to) = (leaving?.router, shown?.router)
      place?.note(.viewsBegan(leaving: from.map { ObjectIdentifier($0) }, coming: to.map { ObjectIdentifier($0) }))
      await SlotTransition.$current.withValue(SlotTransition.current + [ObjectIdentifier(self)]) {
        await transition(from, to)
      }
      place?.note(.viewsEnded)
    }
    isChanging = false
    let callers = waiting
    waiting = []
    for caller in callers { caller.resume() }
  }
}

/// The transitions that enclose the current task.
private enum SlotTransition {
  @TaskLocal static var current: [ObjectIdentifier] = []
}
