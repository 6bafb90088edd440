// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

/// Slots as their parent's node knows them, weakly.
@MainActor
@Suite struct SlotRegistrationTests {
  /// Asks the tree when it is released, as an object of a user may.
  private final class Asking: Sendable {
    deinit { TreeDriver.state.withLock { _ in } }
  }

  /// Slots that another thread releases.
  private final class Handed: Sendable {
    private let slots: Mutex<[ChildSlot<ProbeRouter>]>
    init(_ slots: [ChildSlot<ProbeRouter>]) { self.slots = Mutex(slots) }
    func release() {
      let released = slots.withLock { slots in
        defer { slots = [] }
        return slots
      }
      withExtendedLifetime(released) {}
    }
  }

  private let root = ProbeRouter("root")

  private func slot(keeping object: Asking) -> ChildSlot<ProbeRouter> {
    ChildSlot(of: root) { _, _ in withExtendedLifetime(object) {} }
  }

  /// A slot that is looked at while the last other reference to it goes is released by the one that looks.
  @Test func `T14 nothing of a slot's is released under the tree's lock`() async {
    for _ in 0..<200 {
      let handed = Handed((0..<50).map { _ in slot(keeping: Asking()) })
      let release = Task.detached { handed.release() }
      for _ in 0..<100 { _ = slot(keeping: Asking()) }
      await release.value
    }
  }

  @Test func `T14 slots that are gone are forgotten`() {
    let kept = slot(keeping: Asking())
    for _ in 0..<1_000 { _ = slot(keeping: Asking()) }
    #expect(TreeDriver.state.withLock { $0[root.node.number].extras?.slots.count ?? 0 } < 32)
    withExtendedLifetime(kept) {}
  }
}
