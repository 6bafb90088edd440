// SPDX-License-Identifier: Apache-2.0

/// Decides where a child stands and who moves it: one serial queue of transitions a child (T6), and no effect.
///
/// | state             | `attach(to:)`          | `detach(from:)`                       | next step of the one who moves it |
/// |---|---|---|---|
/// | nowhere           | move                   | nothing (T3)                          |                                   |
/// | wanted, on its way| misuse (T2)            | wait, as the newest                   | join, or leave if that has changed|
/// | stands            | misuse (T2)            | move                                  |                                   |
/// | leaving           | wait, as the newest    | wait for the end (T3)                 | leave, then join if wanted        |
///
/// Every accepted request has a number. The mover carries out one step at a time, then gives way to the newest request.
struct Placement<Parent: AnyObject> {
  enum Answer { case nothing, move, wait, waitForEnd }
  enum Step {
    case leave(Parent)
    case join(Parent)
  }

  /// In whose `children` it stands.
  private(set) var parent: Parent?
  /// What the newest request asked for: attached means wanted (T2).
  private(set) var wanted: Parent?
  private(set) var newest: UInt32 = 0
  /// A detach was accepted since it joined, so it leaves, even if it is wanted there again.
  private(set) var isLeaving = false
  private(set) var isMoving = false

  /// The caller has made sure that nobody wants it yet.
  mutating func attach(to parent: Parent) -> Answer {
    wanted = parent
    newest &+= 1
    return claim()
  }

  mutating func detach(from parent: Parent) -> Answer {
    guard wanted === parent else { return self.parent === parent && isMoving ? .waitForEnd : .nothing }
    wanted = nil
    newest &+= 1
    isLeaving = self.parent != nil
    return claim()
  }

  private mutating func claim() -> Answer {
    if isMoving { return .wait }
    isMoving = true
    return .move
  }

  /// What its mover does next; nil when it stands where it is wanted.
  var next: Step? {
    if let parent { return isLeaving ? .leave(parent) : nil }
    return wanted.map(Step.join)
  }

  mutating func joined() { parent = wanted }

  mutating func left() {
    parent = nil
    isLeaving = false
  }

  mutating func settled() { isMoving = false }

  /// Its parent has ended.
  mutating func orphaned() {
    if wanted === parent { wanted = nil }
    left()
  }
}
