// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Synchronization
import Testing

/// An interactor whose `lifecycle` is a property of its own, which asks the tree.
private final actor Asking: Interactable {
  private nonisolated let real = InteractorLifecycle()
  private nonisolated let other = InteractorLifecycle()

  nonisolated var lifecycle: InteractorLifecycle {
    // As a lock of the tree's would be taken here.
    withExtendedLifetime(other.isActiveStream) {}
    return real
  }
}

@Suite struct ComputedLifecycleTests {
  @Test func `a lifecycle that is computed may ask the tree`() async {
    let interactor = Asking()
    await interactor.activate()
    #expect(await interactor.isActive)
    await interactor.deactivate()
    #expect(await !interactor.isActive)
  }
}
