// SPDX-License-Identifier: Apache-2.0
import Observation

/// Brings what is missing, plate by plate.
///
/// It has no state of its own, and works until its task is cancelled.
struct RefillWorker: Sendable {
  let pantry: Pantry
  var interval: Duration = .seconds(5)

  @MainActor
  func run() async {
    for await isFull in Observations({ pantry.isFull }) where !isFull {
      while !pantry.isFull {
        guard (try? await Task.sleep(for: interval)) != nil else { return }
        pantry.refill()
      }
    }
  }
}
