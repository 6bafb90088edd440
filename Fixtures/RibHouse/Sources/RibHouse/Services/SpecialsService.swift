// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the kitchen has too much of today.
struct Special: Equatable, Sendable {
  var dish: String
  /// In cents.
  var price: Int
}

/// The kitchen, which announces its specials while it is open.
///
/// It has several listeners: the table and the menu.
protocol SpecialsService: Sendable {
  /// Each special from now on; a stream for each listener.
  func specials() -> AsyncStream<Special>
  func open() async
  func close() async
}

/// A kitchen that announces a special every few seconds.
final class HouseSpecialsService: SpecialsService {
  private let broadcast = Broadcast<Special>()
  private let announcing = Mutex<Task<Void, Never>?>(nil)
  private let interval: Duration

  private static let menu = [
    Special(dish: "burnt ends", price: 1_250),
    Special(dish: "pulled pork, a pound", price: 1_600),
    Special(dish: "cornbread, warm", price: 350),
  ]

  init(interval: Duration = .seconds(4)) {
    self.interval = interval
  }

  func specials() -> AsyncStream<Special> { broadcast.stream(isReplaying: false) }

  func open() async {
    let task = Task { [broadcast, interval] in
      for round in 0... {
        guard (try? await Task.sleep(for: interval)) != nil else { return }
        broadcast.send(Self.menu[round % Self.menu.count])
      }
    }
    replace(by: task)
  }

  func close() async { replace(by: nil) }

  private func replace(by task: Task<Void, Never>?) {
    let before = announcing.withLock { announcing in
      defer { announcing = task }
      return announcing
    }
    before?.cancel()
  }
}
