// SPDX-License-Identifier: Apache-2.0

// Collections, structures, enumerations, existentials and generic types.

struct Large {
  var name = ""
  var first: Plain?
  var second: [Int] = []
  var third: Plain?
}

enum Choice {
  case none
  case number(Int)
  case text(String)
}

protocol Numbered: Sendable { var number: Int { get } }
struct One: Numbered { var number = 1 }
struct Four: Numbered {
  var number = 1
  var others = (2, 3, 4)
}

final class Values: @unchecked Sendable {
  var array = [1, 2, 3]
  var dictionary = [1: 1]
  var set: Set<Int> = []
  var large = Large()
  var choice = Choice.none
  var existential: any Numbered = One()
  var optionalExistential: (any Numbered)?
  var anything: Any = 0
  var inline: [4 of Int] = [0, 0, 0, 0]
}

final class Holder<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
  func set(_ value: Value) { self.value = value }
  func get() -> Value { value }
}

extension Program {
  static let values = [
    Place("array") {
      let values = Values()
      return Sides(write: { values.array.append(4) }, again: { values.array = [] }, read: { use(values.array.count) })
    },
    Place("array's element") {
      let values = Values()
      return Sides(write: { values.array[1] = 4 }, read: { use(values.array.first) })
    },
    Place("dictionary") {
      let values = Values()
      return Sides(
        write: { values.dictionary[2] = 4 }, again: { values.dictionary = [:] }, read: { use(values.dictionary[1]) })
    },
    Place("set") {
      let values = Values()
      return Sides(write: { values.set.insert(4) }, again: { values.set = [] }, read: { use(values.set.count) })
    },
    Place("large structure") {
      let values = Values()
      return Sides(
        write: { values.large = Large(name: "one") }, again: { values.large = Large(third: Plain()) },
        read: { use(values.large) })
    },
    Place("field of a structure") {
      let values = Values()
      return Sides(
        write: { values.large.third = Plain() }, again: { values.large.third = nil }, read: { use(values.large.third) })
    },
    Place("enumeration") {
      let values = Values()
      return Sides(
        write: { values.choice = .text("a text that does not fit") }, again: { values.choice = .number(1) },
        read: { use(values.choice) })
    },
    Place("existential") {
      let values = Values()
      return Sides(
        write: { values.existential = Four() }, again: { values.existential = One() },
        read: { use(values.existential.number) })
    },
    Place("optional existential") {
      let values = Values()
      return Sides(
        write: { values.optionalExistential = One() }, again: { values.optionalExistential = nil },
        read: { use(values.optionalExistential?.number) })
    },
    Place("Any") {
      let values = Values()
      return Sides(write: { values.anything = "" }, again: { values.anything = 1 }, read: { use(values.anything) })
    },
    Place("InlineArray") {
      let values = Values()
      return Sides(write: { values.inline[2] = 1 }, read: { use(values.inline[2]) })
    },
  ]

  static let generics = [
    Place("generic property") {
      let holder = Holder(1)
      return Sides(write: { holder.value = 2 }, again: { holder.value += 1 }, read: { use(holder.value) })
    },
    Place("generic property, by methods") {
      let holder = Holder(1)
      return Sides(write: { holder.set(2) }, read: { use(holder.get()) })
    },
    Place("generic property of text, by methods") {
      let holder = Holder("one")
      return Sides(write: { holder.set("two") }, read: { use(holder.get()) })
    },
    Place("array in a generic property") {
      let holder = Holder([1])
      return Sides(write: { holder.value.append(2) }, again: { holder.set([]) }, read: { use(holder.value.count) })
    },
    Place("large structure in a generic property") {
      let holder = Holder(Large())
      return Sides(write: { holder.set(Large(name: "one")) }, read: { use(holder.get()) })
    },
  ]

  static let memory = [
    Place("pointer") {
      nonisolated(unsafe) let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      pointer.initialize(to: 0)
      return Sides(write: { pointer.pointee = 1 }, read: { use(pointer.pointee) })
    },
    Place("pointer to text") {
      nonisolated(unsafe) let pointer = UnsafeMutablePointer<String>.allocate(capacity: 1)
      pointer.initialize(to: "")
      return Sides(write: { pointer.pointee = "one" }, read: { use(pointer.pointee) })
    },
    Place("raw pointer") {
      nonisolated(unsafe) let pointer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
      return Sides(
        write: { pointer.storeBytes(of: 1, as: Int.self) }, read: { use(pointer.load(as: Int.self)) })
    },
    Place("copied bytes") {
      nonisolated(unsafe) let pointer = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
      return Sides(
        write: {
          let source = [UInt8](repeating: 1, count: 64)
          source.withUnsafeBytes { pointer.copyMemory(from: $0.baseAddress!, byteCount: 64) }
        },
        read: {
          let target = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
          target.copyMemory(from: pointer, byteCount: 64)
          target.deallocate()
        })
    },
    Place("buffer of an array") {
      let values = Values()
      return Sides(
        write: { values.array.withUnsafeMutableBufferPointer { $0[0] = 5 } },
        read: { values.array.withUnsafeBufferPointer { use($0[0]) } })
    },
    Place("ManagedBuffer") {
      nonisolated(unsafe) let buffer = ManagedBuffer<Int, Int>.create(minimumCapacity: 4) { _ in 0 }
      return Sides(write: { buffer.header = 1 }, read: { use(buffer.header) })
    },
  ]
}
