// SPDX-License-Identifier: Apache-2.0

/// The attached children of a router, in the order of their attachment.
///
/// The oldest leaves in constant time, as the newest does: its place stays, and refers to another child that is there
/// until the places are closed up. To read all children closes them up.
package struct ChildList {
  private var places: [any Routing] = []
  /// The number of places at the front whose children have left; all of them refer to the same child that is there.
  private var vacant = 0

  /// All children; linear in their number if the oldest has left since it was read.
  var all: [any Routing] {
    mutating get {
      closeUp()
      return places
    }
  }

  /// All children, without closing up; linear in their number.
  package var attached: [any Routing] { Array(places.dropFirst(vacant)) }

  mutating func append(_ child: any Routing) { places.append(child) }

  /// Removes a child, and returns it; nil if it is not there.
  ///
  /// Linear in the number of children that came after it, unless it is the oldest.
  mutating func remove(_ child: any Routing) -> (any Routing)? {
    if vacant > 0, places[0] === child { closeUp() }
    if places.count > vacant + 1, places[vacant] === child {
      let removed = places[vacant]
      places[vacant] = places[vacant == 0 ? places.count - 1 : 0]
      vacant += 1
      if vacant * 2 > places.count { closeUp() }
      return removed
    }
    return places.lastIndex { $0 === child }.map { places.remove(at: $0) }
  }

  private mutating func closeUp() {
    guard vacant > 0 else { return }
    places.removeFirst(vacant)
    vacant = 0
  }
}
