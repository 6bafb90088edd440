// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

// What the two suites share, and what they do not: the end of a line says how `shared` is to list the variable.

nonisolated(unsafe) var visits = 7  // unguarded
nonisolated(unsafe) var onlyRead = 7  // silent
nonisolated(unsafe) var ownOfFirst = 7  // silent
let table = ["a": 1, "b": 2]  // silent
@TaskLocal var depth = 0

final class Settings: @unchecked Sendable {
  static let shared = Settings()
  nonisolated(unsafe) static var current = Settings()  // unguarded
  nonisolated(unsafe) static var region = "en_GB"  // unguarded

  var locale = "en"  // unguarded
  var size = CGSize(width: 1, height: 1)  // unguarded
  var isBold = true  // unguarded
  var isItalic = true  // silent
  var title: String? = "Untitled"  // unguarded
  var recent = [1]  // unguarded
  var pages = [1: "one"]  // unguarded
  var mode = Mode.light  // unguarded
  var observed = 1 { didSet { visitsOfObserver += 1 } }  // unguarded
  var visitsOfObserver = 1  // unguarded
  @Clamped var volume = 5  // unguarded
  weak var delegate: Settings?  // unguarded
  private(set) var secret = 1  // unguarded
  let child = Child()
  let lock = NSLock()
  var underLock = 1  // guarded
  var underLockOfOne = 1  // unguarded
  let innerLock = NSLock()
  var underTwoLocks = 1  // guarded
  lazy var formatter = [locale.count, 1]  // unguarded, perhaps filled
  var cache: [Int]?  // unguarded, filled
  var left: String?  // unguarded, filled
  var kept: [Int]?  // guarded, filled
  var one = 1, other = 1  // unguarded
  let never = [1, 2]  // silent

  enum Mode { case light, dark }

  func reveal() { secret += 1 }
}

@propertyWrapper struct Clamped {
  var wrappedValue: Int
}

class Base: @unchecked Sendable {
  var inBase = 1  // unguarded
}

final class Child: Base, @unchecked Sendable {
  var inChild = 1  // unguarded
}

final class Shelf<Item>: @unchecked Sendable {
  var item: Item  // unguarded as shelf.item
  init(_ item: Item) { self.item = item }
}

let shelf = Shelf("book")

actor Store {
  static let shared = Store()
  var count = 1  // guarded
  func add() { count += 1 }
}

@MainActor final class Screen {
  static let shared = Screen()
  static var opened = 1  // guarded
  var name = "home"  // guarded
}

// What an initialiser does that runs once is no test's.
final class MadeOnce: @unchecked Sendable {
  static let shared = MadeOnce()
  var appended = [1]  // silent
  var setByMethod = 1  // silent
  var changedLater = [1]  // unguarded

  init() {
    appended.append(2)
    changedLater.append(2)
    setUp()
  }

  func setUp() { setByMethod = 2 }
}

actor MadeActor {
  static let shared = MadeActor()
  var added = 1  // silent
  init() { added += 2 }
}

// Each of the objects is two tests': a line for all of them shows six.
final class Leaf: @unchecked Sendable {
  var ofFour = 1  // unguarded as Leaf.ofFour by 8
}

let leaves = [Leaf(), Leaf(), Leaf(), Leaf()]

// A structure with one reference has the same bits, and is not the object.
struct Wrap: Sendable {
  let inner = Wrapped()
}

final class Wrapped: @unchecked Sendable {
  var inWrapped = 1  // unguarded as Wrapped.inWrapped
}

final class Maybe: @unchecked Sendable {
  var inMaybe = 1  // unguarded as maybe.inMaybe
}

let wrap = Wrap()
let maybe: Maybe? = Maybe()

class Rack<Item>: @unchecked Sendable {
  var held: Item?  // unguarded as IntRack.shared.held, perhaps filled
}

final class IntRack: Rack<Int>, @unchecked Sendable {
  static let shared = IntRack()
}

let inMutex = Mutex(["a"])  // silent

// One for each test, perhaps in the memory that another one had.
final class Own: Sendable {
  private let state = Mutex(1)
  nonisolated(unsafe) var value = 1  // silent
  func work() -> Int {
    value += 1
    return state.withLock {
      $0 += 1
      return $0
    } + value
  }
}
