// SPDX-License-Identifier: Apache-2.0

/// A step of a `ChildSlot`, whose calls are numbered from 1.
package struct SlotEvent: Sendable {
  package typealias ID = LifecycleEvent.ID

  /// The kinds of steps.
  package enum Kind: Sendable {
    /// `show` or `clear()` was called.
    case called(Int, clears: Bool)
    /// A call has built its child, and decides from now on.
    case built(Int, child: ID)
    /// A call is about to have its child attached.
    case attaches(Int, child: ID)
    /// A call of `show` returns, with its child or with nil.
    case returned(Int, isShown: Bool)
    /// A call of `clear()` has waited for the children that it had to wait for.
    case cleared(Int)
    /// The views are about to change.
    case viewsBegan(leaving: ID?, coming: ID?)
    case viewsEnded
  }

  /// The identity of the slot, or of its views if it has any, which may be used again after its end.
  package let slot: ID
  /// The router that owns the slot.
  package let parent: ID
  package let kind: Kind

  /// Makes the event of a slot under a router.
  package init(slot: ID, parent: ID, kind: Kind) {
    self.slot = slot
    self.parent = parent
    self.kind = kind
  }
}
