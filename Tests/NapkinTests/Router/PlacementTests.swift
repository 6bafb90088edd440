// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

/// The table in `Placement`, row by row.
@Suite struct PlacementTests {
  private final class Parent {}
  private let here = Parent()
  private let there = Parent()

  private func standing() -> Placement<Parent> {
    var placement = Placement<Parent>()
    #expect(placement.attach(to: here) == .move)
    placement.joined()
    placement.settled()
    return placement
  }

  @Test func `a child that stands nowhere is moved by the first who asks`() {
    var placement = Placement<Parent>()
    #expect(placement.detach(from: here) == .nothing)
    #expect(placement.attach(to: here) == .move)
    guard case .join(let parent) = placement.next else { return #expect(Bool(false), "It does not join") }
    #expect(parent === here)
    #expect(placement.detach(from: here) == .wait)
    #expect(placement.next == nil)
  }

  @Test func `a detach moves a child that stands, and only its own parent's counts`() {
    var placement = standing()
    #expect(placement.next == nil)
    #expect(placement.detach(from: there) == .nothing)
    #expect(placement.detach(from: here) == .move)
    #expect(placement.detach(from: here) == .waitForEnd)
    guard case .leave(let parent) = placement.next else { return #expect(Bool(false), "It does not leave") }
    #expect(parent === here)
  }

  @Test func `a child that is wanted again leaves first and joins then`() {
    var placement = standing()
    _ = placement.detach(from: here)
    #expect(placement.attach(to: here) == .wait)
    guard case .leave = placement.next else { return #expect(Bool(false), "It does not leave") }
    placement.left()
    guard case .join(let parent) = placement.next else { return #expect(Bool(false), "It does not join") }
    #expect(parent === here)
  }

  @Test func `an orphan stands nowhere, but goes where somebody else wants it`() {
    var placement = standing()
    placement.orphaned()
    #expect(placement.parent == nil && placement.wanted == nil)

    var moving = standing()
    _ = moving.detach(from: here)
    _ = moving.attach(to: there)
    moving.orphaned()
    #expect(moving.wanted === there)
  }
}
