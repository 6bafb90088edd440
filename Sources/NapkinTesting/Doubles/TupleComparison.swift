// SPDX-License-Identifier: Apache-2.0

/// Compares recorded calls of a function with several arguments, since tuples are not `Equatable`.
///
///     let searchStub = Stub<(String, Int), [User]>()
///     #expect(service.searchStub.calls == [("rib", 1), ("rib", 2)])
///
/// The tuples have no labels, and their elements are equal one by one.
@_disfavoredOverload
public func == <each Element: Equatable>(_ one: [(repeat each Element)], _ other: [(repeat each Element)]) -> Bool {
  guard one.count == other.count else { return false }
  for index in one.indices {
    let (left, right) = (one[index], other[index])
    for (leftElement, rightElement) in repeat (each left, each right) {
      guard leftElement == rightElement else { return false }
    }
  }
  return true
}
