// SPDX-License-Identifier: Apache-2.0

import Foundation

// Variables of one value, and the ways to get at them.

class Plain: @unchecked Sendable {
  final var number = 0
  var overridden = 0
  var small: Int8 = 0
  var real = 0.0
  var text = ""
  var pair = (0, 0)
  var optional: Int?
  var reference: Plain?
  var closure: @Sendable () -> Int = { 0 }
  var observed = 0 { didSet { number = observed } }
  lazy var late = 0
  @Doubled var wrapped = 0
  weak var weakly: Plain?
  unowned(unsafe) var unsafely: Plain?
  static nonisolated(unsafe) var shared = 0
}

final class Heir: Plain, @unchecked Sendable {
  override var overridden: Int {
    get { number }
    set { number = newValue }
  }
}

@propertyWrapper
struct Doubled {
  var wrappedValue: Int
}

nonisolated(unsafe) var global = 0
nonisolated(unsafe) let path: ReferenceWritableKeyPath<Plain, Int> = \.number

private func raise(_ number: inout Int) { number += 1 }

extension Program {
  static let places = variables + values + generics + memory

  static let variables = [
    Place("property") {
      let plain = Plain()
      return Sides(write: { plain.number = 1 }, read: { use(plain.number) })
    },
    Place("property of a class with heirs") {
      let plain: Plain = Heir()
      return Sides(write: { plain.overridden = 1 }, read: { use(plain.overridden) })
    },
    Place("byte") {
      let plain = Plain()
      return Sides(write: { plain.small = 1 }, read: { use(plain.small) })
    },
    Place("Double") {
      let plain = Plain()
      return Sides(write: { plain.real = 1 }, read: { use(plain.real) })
    },
    Place("String") {
      let plain = Plain()
      return Sides(
        write: { plain.text = "a text that does not fit" }, again: { plain.text.append("more") },
        read: { use(plain.text) })
    },
    Place("tuple") {
      let plain = Plain()
      return Sides(write: { plain.pair = (1, 2) }, again: { plain.pair.1 = 3 }, read: { use(plain.pair.1) })
    },
    Place("optional") {
      let plain = Plain()
      return Sides(write: { plain.optional = 1 }, again: { plain.optional = nil }, read: { use(plain.optional) })
    },
    Place("reference") {
      let plain = Plain()
      return Sides(
        write: { plain.reference = Plain() }, again: { plain.reference = nil }, read: { use(plain.reference?.number) })
    },
    Place("closure") {
      let plain = Plain()
      return Sides(write: { plain.closure = { 1 } }, again: { plain.closure = { 2 } }, read: { use(plain.closure()) })
    },
    Place("observed property") {
      let plain = Plain()
      return Sides(write: { plain.observed = 1 }, read: { use(plain.number) })
    },
    Place("lazy property") {
      let plain = Plain()
      return Sides(write: { plain.late = 1 }, read: { use(plain.late) })
    },
    Place("wrapped property") {
      let plain = Plain()
      return Sides(write: { plain.wrapped = 1 }, read: { use(plain.wrapped) })
    },
    Place("inout") {
      let plain = Plain()
      return Sides(write: { raise(&plain.number) }, read: { use(plain.number) })
    },
    Place("weak reference") {
      let plain = Plain()
      let target = Plain()
      return Sides(write: { plain.weakly = target }, again: { plain.weakly = nil }, read: { use(plain.weakly?.number) })
    },
    Place("global") { Sides(write: { global = 1 }, read: { use(global) }) },
    Place("static property") { Sides(write: { Plain.shared = 1 }, read: { use(Plain.shared) }) },
    Place("captured variable") {
      nonisolated(unsafe) var number = 0
      return Sides(write: { number = 1 }, read: { use(number) })
    },
    Place("key path") {
      let plain = Plain()
      return Sides(
        write: { plain[keyPath: path] = 1 }, again: { plain[keyPath: path] += 1 }, read: { use(plain[keyPath: path]) })
    },
  ]
}
