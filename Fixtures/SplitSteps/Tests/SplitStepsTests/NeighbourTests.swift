// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// Variables beside each other, each of which a task has for itself.
private final class Neighbours: @unchecked Sendable {
  var byte: UInt8 = 0
  var nextByte: UInt8 = 0
  var flag = false
  var nextFlag = false
  var short: Int16 = 0
  var nextShort: Int16 = 0
  var word: Int32 = 0
  var nextWord: Int32 = 0
  var real: Float = 0
  var nextReal: Float = 0
  var maybe: UInt8?
  var nextMaybe: UInt8?
  let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2)
  let shorts = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 2)

  init() {
    bytes.initialize(repeating: 0)
    shorts.initialize(repeating: 0)
  }
  deinit {
    bytes.deallocate()
    shorts.deallocate()
  }
}

private func raise<Number: FixedWidthInteger>(_ number: inout Number) { number += 1 }

/// What two tasks do in place, each with a variable of its own.
private struct Pair: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let first, second: @Sendable (Neighbours) -> Void

  init(
    _ name: String, _ first: @escaping @Sendable (Neighbours) -> Void,
    _ second: @escaping @Sendable (Neighbours) -> Void
  ) {
    (testDescription, self.first, self.second) = (name, first, second)
  }

  static let all = [
    Pair("bytes", { $0.byte += 1 }, { $0.nextByte += 1 }),
    Pair("flags", { $0.flag.toggle() }, { $0.nextFlag.toggle() }),
    Pair("half-words", { $0.short += 1 }, { $0.nextShort += 1 }),
    Pair("words", { $0.word += 1 }, { $0.nextWord += 1 }),
    Pair("reals", { $0.real += 1 }, { $0.nextReal += 1 }),
    Pair("optionals", { $0.maybe = 1 }, { $0.nextMaybe = 1 }),
    Pair("inout bytes", { raise(&$0.byte) }, { raise(&$0.nextByte) }),
    Pair("inout half-words", { raise(&$0.short) }, { raise(&$0.nextShort) }),
    Pair("a byte and a flag", { $0.nextByte += 1 }, { $0.flag.toggle() }),
    Pair("bytes behind a pointer", { $0.bytes[0] += 1 }, { $0.bytes[1] += 1 }),
    Pair("half-words behind a pointer", { $0.shorts[0] += 1 }, { $0.shorts[1] += 1 }),
  ]
}

/// Two tasks that change variables in the same eight bytes.
@Suite struct NeighbourTests {
  private func races(
    _ first: @escaping @Sendable (Neighbours) -> Void, _ second: @escaping @Sendable (Neighbours) -> Void
  )
    async -> [String]
  {
    let exploration = await Explorer(executions: 20, seed: 1, shrinks: false).run {
      let neighbours = Neighbours()
      async let one: Void = first(neighbours)
      async let two: Void = second(neighbours)
      _ = await (one, two)
    }
    return exploration.failure?.messages ?? []
  }

  @Test(arguments: Pair.all)
  private func `neighbours that two tasks change in place are no data race`(_ pair: Pair) async {
    #expect(await races(pair.first, pair.second) == [])
    #expect(await races(pair.second, pair.first) == [])
  }

  @Test(arguments: Pair.all)
  private func `two tasks that change the same small variable in place race`(_ pair: Pair) async {
    #expect(await races(pair.first, pair.first) != [])
    #expect(await races(pair.second, pair.second) != [])
  }
}
