// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Small programs on fences and release sequences, with the verdict of C11: whether the accesses to the value are ordered.

/// A value, and a flag that publishes it.
final class Message: @unchecked Sendable {
  let flag = Atomic(0)
  var value = 0
}

/// What one task does to publish a value, and another one to read it.
private func passing(
  _ name: String, by publish: @escaping @Sendable (Message) -> Void, _ read: @escaping @Sendable (Message) -> Int
) -> Subject {
  Subject(name) {
    let message = Message()
    async let first: Void = publish(message)
    async let second = read(message)
    _ = await (first, second)
  }
}

/// The same, where a third task changes the flag from one to two.
private func forwarding(
  _ name: String, by forward: @escaping @Sendable (Message) -> Void, _ read: @escaping @Sendable (Message) -> Int
) -> Subject {
  Subject(name) {
    let message = Message()
    async let first: Void = storeReleasing(message)
    async let second: Void = forward(message)
    async let third = read(message)
    _ = await (first, second, third)
  }
}

private func storeReleasing(_ message: Message) {
  message.value = 7
  message.flag.store(1, ordering: .releasing)
}

private func storeRelaxed(_ message: Message) {
  message.value = 7
  message.flag.store(1, ordering: .relaxed)
}

private func storeAfterReleaseFence(_ message: Message) {
  message.value = 7
  atomicMemoryFence(ordering: .releasing)
  message.flag.store(1, ordering: .relaxed)
}

private func storeAfterAcquireFence(_ message: Message) {
  message.value = 7
  atomicMemoryFence(ordering: .acquiring)
  message.flag.store(1, ordering: .relaxed)
}

private func storeBeforeReleaseFence(_ message: Message) {
  message.value = 7
  message.flag.store(1, ordering: .relaxed)
  atomicMemoryFence(ordering: .releasing)
}

private func loadRelaxed(_ message: Message) -> Int {
  message.flag.load(ordering: .relaxed) == 1 ? message.value : 0
}

private func loadAcquiring(_ message: Message) -> Int {
  message.flag.load(ordering: .acquiring) == 1 ? message.value : 0
}

private func loadBeforeAcquireFence(_ message: Message) -> Int {
  guard message.flag.load(ordering: .relaxed) == 1 else { return 0 }
  atomicMemoryFence(ordering: .acquiring)
  return message.value
}

private func loadAfterAcquireFence(_ message: Message) -> Int {
  atomicMemoryFence(ordering: .acquiring)
  return message.flag.load(ordering: .relaxed) == 1 ? message.value : 0
}

private func loadForwarded(_ message: Message) -> Int {
  message.flag.load(ordering: .acquiring) == 2 ? message.value : 0
}

/// A count of references as textbooks have it, whose last user writes what all of them have read.
private final class Counted: @unchecked Sendable {
  let count = Atomic(2)
  var value = 1
  func use(fences: Bool) -> Int {
    let seen = value
    if count.subtract(1, ordering: .releasing).newValue == 0 {
      if fences { atomicMemoryFence(ordering: .acquiring) }
      value = 0
    }
    return seen
  }
}

private func counting(_ name: String, fences: Bool) -> Subject {
  Subject(name) {
    let counted = Counted()
    async let first = counted.use(fences: fences)
    async let second = counted.use(fences: fences)
    _ = await (first, second)
  }
}

extension Subject {
  static let racingLitmus = [
    passing("releasing store, relaxed load", by: storeReleasing, loadRelaxed),
    passing("two acquire fences", by: storeAfterAcquireFence, loadBeforeAcquireFence),
    passing("release fence after its store", by: storeBeforeReleaseFence, loadAcquiring),
    passing("acquire fence before its load", by: storeReleasing, loadAfterAcquireFence),
    passing("relaxed store, acquire fence", by: storeRelaxed, loadBeforeAcquireFence),
    passing("release fence, relaxed load", by: storeAfterReleaseFence, loadRelaxed),
    forwarding(
      "relaxed store of another task in a release sequence",
      by: { if $0.flag.load(ordering: .relaxed) == 1 { $0.flag.store(2, ordering: .relaxed) } }, loadForwarded),
    forwarding(
      "releasing store of a task that has acquired nothing",
      by: { if $0.flag.load(ordering: .relaxed) == 1 { $0.flag.store(2, ordering: .releasing) } }, loadForwarded),
    counting("reference count without a fence", fences: false),
  ]

  static let orderedLitmus = [
    passing("two fences", by: storeAfterReleaseFence, loadBeforeAcquireFence),
    passing("release fence, acquiring load", by: storeAfterReleaseFence, loadAcquiring),
    passing("releasing store, acquire fence", by: storeReleasing, loadBeforeAcquireFence),
    forwarding(
      "exchange in a release sequence",
      by: { _ = $0.flag.compareExchange(expected: 1, desired: 2, ordering: .relaxed) }, loadForwarded),
    forwarding(
      "releasing store of a task that has acquired",
      by: { if $0.flag.load(ordering: .acquiring) == 1 { $0.flag.store(2, ordering: .releasing) } }, loadForwarded),
    passing(
      "relaxed store of the same task in a release sequence",
      by: {
        storeReleasing($0)
        $0.flag.store(2, ordering: .relaxed)
      }, loadForwarded),
    counting("reference count with a fence", fences: true),
  ]
}
