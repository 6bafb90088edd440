// SPDX-License-Identifier: Apache-2.0

/// Numbers at small indices, all of them zero at first.
///
/// Like ``ReadyQueue`` it manages its memory by hand, because it is asked at every step.
struct Counts: ~Copyable {
  private var storage: UnsafeMutablePointer<Int>
  private var capacity = 64

  /// One more than the largest index that was written to.
  private(set) var count = 0

  init() {
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: 0, count: capacity)
  }

  deinit { storage.deallocate() }

  subscript(index: Int) -> Int {
    get { index < count ? storage[index] : 0 }
    _modify {
      if index >= count { include(index) }
      yield &storage[index]
    }
  }

  mutating func removeAll() {
    storage.update(repeating: 0, count: count)
    count = 0
  }

  private mutating func include(_ index: Int) {
    if index >= capacity {
      let larger = max(index &+ 1, capacity &* 2)
      storage.grow(to: larger, keeping: capacity)
      (storage + capacity).initialize(repeating: 0, count: larger &- capacity)
      capacity = larger
    }
    count = index &+ 1
  }
}
