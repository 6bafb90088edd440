// SPDX-License-Identifier: Apache-2.0

/// A value that is made the first time it is asked for: pairs are listed before anything of theirs exists.
@MainActor
final class Later<Value: Sendable> {
  private var value: Value?
  private let make: @MainActor () async -> Value

  nonisolated init(_ make: @escaping @MainActor () async -> Value) { self.make = make }

  /// One caller at a time: no two sides of a pair run at once.
  func get() async -> Value {
    if let value { return value }
    let made = await make()
    value = made
    return made
  }
}
