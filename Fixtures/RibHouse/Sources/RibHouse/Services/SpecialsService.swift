// SPDX-License-Identifier: Apache-2.0

/// What the kitchen has too much of today.
struct Special: Equatable, Sendable {
  var dish: String
  /// In cents.
  var price: Int
}

/// Hears what the kitchen shouts.
protocol SpecialsService: Sendable {
  /// Each special from now on.
  func specials() -> AsyncStream<Special>
}

/// A kitchen that shouts every few seconds.
struct HouseSpecialsService: SpecialsService {
  var interval: Duration = .seconds(4)

  private let menu = [
    Special(dish: "burnt ends", price: 1_250),
    Special(dish: "pulled pork, a pound", price: 1_600),
    Special(dish: "cornbread, warm", price: 350),
  ]

  func specials() -> AsyncStream<Special> {
    AsyncStream { continuation in
      let kitchen = Task {
        for shout in 0... {
          guard (try? await Task.sleep(for: interval)) != nil else { break }
          continuation.yield(menu[shout % menu.count])
        }
      }
      continuation.onTermination = { _ in kitchen.cancel() }
    }
  }
}
