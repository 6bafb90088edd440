// SPDX-License-Identifier: Apache-2.0

/// The views of a slot, which follow its children one change at a time.
@MainActor
final class SlotViews {
  typealias Occupant = SlotPlace.Occupant
  typealias Transition = @MainActor (_ leaving: (any Routing)?, _ coming: (any Routing)?) async -> Void

  /// Nil once a test tool has taken it, to see what it holds.
  var transition: Transition?
  weak var place: SlotPlace?
  /// The child that came in the last transition, which may be under way.
  private var shown: Occupant?
  private var wanted: Occupant?
  private var isChanging = false
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(_ transition: @escaping Transition) { self.transition = transition }

  /// Forgets a child whose transition has not begun.
  func withdraw() { wanted = shown }

  /// Shows no child, in a task: the child that was there has left by another way.
  ///
  /// Where the parent is gone, there is no place any more in which to show that.
  func empty() {
    wanted = nil
    guard shown != nil, !isChanging else { return }
    if place?.parent == nil { shown = nil } else { startTask { @MainActor [self] in await change() } }
  }

  /// Shows a child, and returns when no transition is under way, or at once where that may wait for the caller.
  func show(_ next: Occupant?) async {
    wanted = next
    guard !isChanging else {
      // The transition may wait for the callback, or for another transition, that makes the call (T14).
      if SlotTransition.isInside || CallbackFrame.currentName != nil { return }
      return await withUnsafeContinuation { waiting.append($0) }
    }
    guard shown?.router !== next?.router else { return }
    // In a task of its own: a cancellation of the caller, or of its callback, is not to cut an animation.
    await startTask(immediately: true) { @MainActor [self] in await change() }.value
  }

  /// Changes to the wanted child, and on to the child that is wanted then, as long as the parent is there.
  private func change() async {
    guard !isChanging else { return }
    isChanging = true
    while shown?.router !== wanted?.router {
      guard let parent = place?.parent.map({ ObjectIdentifier($0) }) else {
        shown = nil
        break
      }
      let leaving = shown
      shown = wanted
      let (from, to) = (leaving?.router, shown?.router)
      note(
        .viewsBegan(leaving: from.map { ObjectIdentifier($0) }, coming: to.map { ObjectIdentifier($0) }), below: parent)
      let enclosing = SlotTransition()
      await SlotTransition.$current.withValue(enclosing) { await transition?(from, to) }
      enclosing.isOver = true
      note(.viewsEnded, below: parent)
    }
    isChanging = false
    let callers = waiting
    waiting = []
    for caller in callers { caller.resume() }
  }

  /// Notifies the observers of a step, also where the parent is gone by now.
  private func note(_ step: SlotEvent.Kind, below parent: ObjectIdentifier) {
    LifecycleObservation.notify(.slot(SlotEvent(slot: ObjectIdentifier(self), parent: parent, kind: step)))
  }
}

/// A transition as calls from inside see it; tasks that it has started may outlive it.
@MainActor
private final class SlotTransition {
  @TaskLocal static var current: SlotTransition?

  private let outer: SlotTransition?
  var isOver = false

  init() { outer = Self.current?.underWay }

  /// The innermost of the enclosing transitions that is not over, this one included.
  private var underWay: SlotTransition? { isOver ? outer?.underWay : self }

  /// Whether a transition that is under way encloses the current task.
  static var isInside: Bool { current?.underWay != nil }
}
