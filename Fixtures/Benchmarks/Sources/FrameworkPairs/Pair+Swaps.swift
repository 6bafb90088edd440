// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling

extension Pair {
  /// A swap in a slot against the same detach and attach by hand.
  package static func swaps() -> [Pair] {
    [
      swaps("a slot's swap, default callbacks", of: Plain.init),
      swaps("a slot's swap, both callbacks on the actor", of: Busy.init),
    ]
  }

  private static var batch: Int { 200 }

  private static func swaps<Leaf: Interactable>(_ name: String, of make: @escaping @Sendable () -> Leaf) -> Pair {
    let swaps = Later { await Swaps(make) }
    return Pair(
      name, unit: "swap", goal: 1.1,
      subject: {
        let swaps = await swaps.get()
        return await Reading.onMain(batch) { await swaps.bySlot(batch) }
      },
      yardstick: {
        let swaps = await swaps.get()
        return await Reading.onMain(batch) { await swaps.byHand(batch) }
      }
    )
  }
}
