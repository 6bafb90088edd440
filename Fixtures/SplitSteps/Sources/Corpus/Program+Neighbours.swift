// SPDX-License-Identifier: Apache-2.0

// Variables in the same eight bytes, each of which a task changes in place.

private final class Neighbours: @unchecked Sendable {
  var byte: UInt8 = 0
  var nextByte: UInt8 = 0
  var flag = false
  var nextFlag = false
  var short: Int16 = 0
  var nextShort: Int16 = 0
  var word: Int32 = 0
  var nextWord: Int32 = 0
  var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)

  init() { bytes.initialize(repeating: 0, count: 2) }
  deinit { bytes.deallocate() }
}

private func raise<Number: FixedWidthInteger>(_ number: inout Number) { number += 1 }

extension Program {
  private static let pairs: [(String, @Sendable (Neighbours) -> Void, @Sendable (Neighbours) -> Void)] = [
    ("bytes", { $0.byte += 1 }, { $0.nextByte += 1 }),
    ("flags", { $0.flag.toggle() }, { $0.nextFlag.toggle() }),
    ("half-words", { $0.short += 1 }, { $0.nextShort += 1 }),
    ("words", { $0.word += 1 }, { $0.nextWord += 1 }),
    ("bytes, by inout", { raise(&$0.byte) }, { raise(&$0.nextByte) }),
    ("words, by inout", { raise(&$0.word) }, { raise(&$0.nextWord) }),
    ("bytes behind a pointer", { $0.bytes[0] += 1 }, { $0.bytes[1] += 1 }),
  ]

  /// Two that are beside each other, and the same one twice.
  static let neighbours = pairs.flatMap { name, first, second in
    [
      Program("the one beside it", race: false, storage: "neighbours", access: "\(name) in place") {
        let neighbours = Neighbours()
        await both({ first(neighbours) }, { second(neighbours) })
      },
      Program("the same one", race: true, storage: "neighbours", access: "\(name) in place") {
        let neighbours = Neighbours()
        await both({ second(neighbours) }, { second(neighbours) })
      },
    ]
  }
}
