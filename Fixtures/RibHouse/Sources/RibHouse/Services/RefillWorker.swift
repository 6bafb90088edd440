// SPDX-License-Identifier: Apache-2.0
import Napkin
import Observation

/// Brings what is missing, plate by plate.
///
/// The table starts it. It works until its task is cancelled.
@MainActor
final class RefillWorker: Worker {
  private let pantry: Pantry
  private let interval: Duration

  nonisolated init(pantry: Pantry, interval: Duration = .seconds(5)) {
    self.pantry = pantry
    self.interval = interval
  }

  func run() async {
    for await isFull in Observations({ [pantry] in pantry.isFull }) where !isFull {
      while !pantry.isFull {
        guard (try? await Task.sleep(for: interval)) != nil else { return }
        pantry.refill()
      }
    }
  }
}
