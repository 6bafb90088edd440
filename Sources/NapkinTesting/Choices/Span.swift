// SPDX-License-Identifier: Apache-2.0

/// A stretch of the drawn data that belongs together, such as one array element, so that it can go in one piece.
package struct Span: Sendable, Hashable {
  /// The data choices in it, by their position in the data lane.
  package var range: Range<Int>

  package var label: Label

  /// Whether what was drawn here was thrown away, as by a filter; deleting it changes nothing but the length.
  package var isDiscarded: Bool

  /// How many spans are around it: neighbours at one depth are siblings, or nearly so.
  package var depth: Int

  package init(_ label: Label, _ range: Range<Int>, depth: Int = 0, isDiscarded: Bool = false) {
    self.label = label
    self.range = range
    self.depth = depth
    self.isDiscarded = isDiscarded
  }

  /// What kind of stretch it is; only spans of one label are ever put in each other's place.
  package enum Label: UInt8, Sendable, Hashable {
    /// One call of `Execution.draw`.
    case draw
    /// One element of a collection, with the choice that says that it exists.
    case element
    /// One of several alternatives.
    case alternative
    /// One level of a recursive value.
    case recursion
    /// One attempt of a filter.
    case attempt
    /// One step of a program under test, drawn by the fuzzer.
    case action
  }
}
