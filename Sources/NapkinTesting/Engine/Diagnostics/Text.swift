// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The duration in seconds with up to three decimals, or in milliseconds where it is less than a second.
  package var brief: String {
    let (seconds, attoseconds) = components
    if seconds == 0 && attoseconds != 0 { return Self.decimal(attoseconds, digits: 15) + " ms" }
    let fraction = attoseconds / 1_000_000_000_000_000
    return (fraction == 0 ? "\(seconds)" : Self.decimal(seconds * 1_000 + fraction, digits: 3)) + " s"
  }

  private static func decimal(_ number: Int64, digits: Int) -> String {
    var unit: Int64 = 1
    for _ in 0..<digits { unit *= 10 }
    let whole = number / unit
    var fraction = String(abs(number % unit))
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
  }
}

extension Int {
  /// The number with a comma between thousands.
  package var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}

extension Sequence {
  /// The descriptions of the elements, separated by commas, at most `limit` of them.
  package func listed(limit: Int = 12) -> String {
    let descriptions = map { String(describing: $0) }
    guard !descriptions.isEmpty else { return "nothing" }
    guard descriptions.count > limit else { return descriptions.joined(separator: ", ") }
    return descriptions.prefix(limit).joined(separator: ", ") + " and \(descriptions.count - limit) more"
  }
}

extension [[String]] {
  /// Lanes of successive events, beside each other: `(deposit(1) → balance) ∥ withdraw(1)`.
  package var inLanes: String {
    let lanes = filter { !$0.isEmpty }
    return lanes.map { lane in
      let text = lane.joined(separator: " → ")
      return lanes.count > 1 && lane.count > 1 ? "(\(text))" : text
    }.joined(separator: " ∥ ")
  }
}

extension String {
  /// The hash of the text in UTF-8: the same in every process.
  package var stableHash: String { utf8.stableHash }
}

extension Sequence<UInt8> {
  /// The 64-bit FNV-1a hash of the bytes, since that of a `String` is another one in each process.
  package var stableNumber: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The same as sixteen hexadecimal digits.
  package var stableHash: String {
    let digits = String(stableNumber, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
