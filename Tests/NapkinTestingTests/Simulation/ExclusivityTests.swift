// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private final class Box {
  var value = 0
}

private actor Other {
  func visit() {}
}

private actor Holder {
  private let box = Box()
  private(set) var isHolding = false

  var value: Int { box.value }

  /// Suspends in the middle of an access, which the runtime keeps with the task.
  func hold(while other: Other) async {
    isHolding = true
    let box = box
    await increment(&box.value, after: other)
  }

  func touch() { box.value += 1 }

  private func increment(_ value: inout Int, after other: Other) async {
    await other.visit()
    value += 1
  }
}

@Suite struct ExclusivityTests {
  /// A task that is parked on its way to an actor is suspended, or its accesses would stay with the thread, and the process
  /// would end with "Simultaneous accesses" where another task runs on it.
  @Test func `an access of a parked task is no conflict for the task that runs`() async {
    let result = await Explorer(strategy: .exhaustive()).run {
      let (holder, other) = (Holder(), Other())
      async let held: Void = holder.hold(while: other)
      if await holder.isHolding { await holder.touch() }
      await held
    }
    #expect(result.failure == nil)
    #expect(result.distinctSchedules > 1)
  }
}
