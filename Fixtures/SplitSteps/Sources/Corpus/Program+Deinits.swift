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

/// An object that each task keeps until it has ended: its own end comes after both.
private final class Token: Sendable {
  private let plain: Plain
  init(_ plain: Plain) { self.plain = plain }
  deinit { plain.number += 1 }
}

/// Each task writes what the token's end writes, too, in turn.
private func sharing(_ token: Token, _ plain: Plain) -> [Task<Void, Never>] {
  let lock = Guard()
  return (0..<2).map { _ in
    Task.detached {
      lock { plain.number += 1 }
      use(token)
    }
  }
}

extension Program {
  static let deinits = [
    Program("two objects, no order", race: true, storage: "in a deinit") {
      let plain = Plain()
      await both({ _ = Dying(plain) }, { _ = Dying(plain) })
    },
    Program("two objects, Mutex", race: false, storage: "in a deinit") {
      let plain = Plain()
      let lock = Guard()
      await both({ _ = Dying(plain, lock) }, { _ = Dying(plain, lock) })
    },
    Program("elements of two arrays, no order", race: true, storage: "in a deinit") {
      let plain = Plain()
      await both({ _ = [Dying(plain)] }, { _ = [Dying(plain)] })
    },
    Program("one object that both have", race: false, storage: "in a deinit") {
      let plain = Plain()
      for task in sharing(Token(plain), plain) { await task.value }
    },
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
