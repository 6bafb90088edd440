// SPDX-License-Identifier: Apache-2.0

import NapkinTesting

extension Gen {
  /// The value that zeros make.
  func simplest() -> Value {
    draw(from: ChoiceTape())
  }

  /// Values from a seed, each from a tape of its own.
  func values(seed: UInt64, count: Int) -> [Value] {
    (0..<UInt64(count)).map { draw(from: ChoiceTape(then: .random(SplitMix64(seed: seed, index: $0)))) }
  }
}

/// The first failing value of a seed, after shrinking.
struct Minimal<Value> {
  let value: Value
  let shrunk: Shrunk
}

/// Draws until `isBad`, then shrinks that value; nil when none of `tries` was bad.
func minimal<Value>(
  _ generator: Gen<Value>,
  seed: UInt64,
  tries: UInt64 = 5_000,
  budget: Int = 2_000,
  where isBad: (Value) -> Bool
) async -> Minimal<Value>? {
  for index in 0..<tries {
    let tape = ChoiceTape(then: .random(SplitMix64(seed: seed, index: index)))
    guard isBad(generator.draw(from: tape)), tape.rejection == nil else { continue }
    let shrunk = await withoutActuallyEscaping(isBad) { isBad in
      await Shrinker(seed: seed, budget: budget).shrink(tape.recorded) { candidate in
        let tape = ChoiceTape(replaying: candidate)
        let value = generator.draw(from: tape)
        return ShrinkOutcome(stillFails: isBad(value) && tape.rejection == nil, consumed: tape.recorded)
      }
    }
    return Minimal(value: generator.draw(from: ChoiceTape(replaying: shrunk.sequence)), shrunk: shrunk)
  }
  return nil
}
