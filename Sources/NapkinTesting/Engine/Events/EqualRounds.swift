// SPDX-License-Identifier: Apache-2.0

/// The rounds of a loop that repeat the ones before, such as those of a poll: a reader needs the first two and the last.
package enum EqualRounds {
  // The most elements of a round, and the rounds from which on some are left out.
  private static let longest = 24
  private static let least = 6

  /// The elements that can be left out, without the first two rounds and the last one of each loop.
  ///
  /// - Parameter elements: The steps or rows, each by what a reader sees of it; nil for one that is never left out.
  /// - Returns: The ranges, each with the number of its rounds.
  package static func repeated<Element: Equatable>(in elements: [Element?]) -> [(range: Range<Int>, rounds: Int)] {
    var found: [(range: Range<Int>, rounds: Int)] = []
    var start = 0
    while start < elements.count {
      guard let (length, rounds) = loop(in: elements, at: start) else {
        start += 1
        continue
      }
      found.append((start + 2 * length..<start + (rounds - 1) * length, rounds - 3))
      start += rounds * length
    }
    return found
  }

  private static func loop<Element: Equatable>(in elements: [Element?], at start: Int) -> (length: Int, rounds: Int)? {
    for length in 1...longest where start + least * length <= elements.count {
      var end = start
      while end + length < elements.count, let element = elements[end], element == elements[end + length] { end += 1 }
      let rounds = (end - start) / length + 1
      if rounds >= least { return (length, rounds) }
    }
    return nil
  }
}
