// SPDX-License-Identifier: Apache-2.0

// What the end of an object does to others.

private final class Dying: Sendable {
  private let plain: Plain
  private let lock: Guard?
  init(_ plain: Plain, _ lock: Guard? = nil) {
    self.plain = plain
    self.lock = lock
  }
  deinit {
    if let lock { lock { plain.number += 1 } } else { plain.number += 1 }
  }
}

/// What is kept by two tasks, the last of which ends it.
private final class Shared: @unchecked Sendable {
  var numbers = [1, 2, 3]
  let plain = Plain()
  deinit {
    numbers.removeAll()
    plain.number = numbers.count
  }
}

extension Program {
  static let deinits = [
    Program("no order", race: true, storage: "in a deinit") {
      let plain = Plain()
      await both({ _ = Dying(plain) }, { plain.number = 1 })
    },
    Program("Mutex", race: false, storage: "in a deinit") {
      let plain = Plain()
      let lock = Guard()
      await both({ _ = Dying(plain, lock) }, { lock { plain.number = 1 } })
    },
    Program("await", race: false, storage: "in a deinit") {
      let plain = Plain()
      await Task.detached { _ = Dying(plain) }.value
      await Task.detached { plain.number = 1 }.value
    },
    Program("the last reference", race: false, storage: "in a deinit", access: "write and read") {
      let shared = Shared()
      let (first, second) = (Task.detached { use(shared.numbers.count) }, Task.detached { use(shared.plain.number) })
      await first.value
      await second.value
    },
  ]
}
