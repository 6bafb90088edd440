// SPDX-License-Identifier: Apache-2.0

/// One piece of meat in the smoker; temperatures are in degrees Celsius.
struct Cut: Equatable, Sendable {
  var name: String
  var temperature: Int
  var target: Int

  var isDone: Bool { temperature >= target }
}

/// Reads the thermometers of the pit.
protocol PitService: Sendable {
  /// What is in the pit now, then every change.
  func readings() -> AsyncStream<[Cut]>
}

/// A pit that warms up while a task reads it.
struct HousePitService: PitService {
  var interval: Duration = .seconds(1)

  private let cuts = [
    (cut: Cut(name: "Brisket", temperature: 71, target: 95), warming: 1),
    (cut: Cut(name: "Spare ribs", temperature: 80, target: 92), warming: 2),
    (cut: Cut(name: "Chicken", temperature: 52, target: 74), warming: 3),
  ]

  func readings() -> AsyncStream<[Cut]> {
    AsyncStream { continuation in
      let warming = Task {
        for minute in 0... {
          continuation.yield(reading(after: minute))
          guard (try? await Task.sleep(for: interval)) != nil else { break }
        }
      }
      continuation.onTermination = { _ in warming.cancel() }
    }
  }

  private func reading(after minutes: Int) -> [Cut] {
    cuts.map { cut, warming in
      Cut(name: cut.name, temperature: min(cut.target, cut.temperature + minutes * warming), target: cut.target)
    }
  }
}
