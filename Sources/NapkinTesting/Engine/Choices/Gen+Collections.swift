// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Gen {
  /// Draws an array of as many elements as `count` allows; it shrinks to fewer and simpler ones.
  ///
  /// ```swift
  /// let numbers = Execution.draw(.array(of: .int(in: 0...1_000), count: 0...20))
  /// ```
  ///
  /// Every count is equally likely in a range of up to 32; in a longer range small counts are likelier.
  public static func array<Element>(
    of element: Gen<Element>,
    count: ClosedRange<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen where Value == [Element] {
    let count = ElementCount(count, of: "Gen.array(of:count:)", at: sourceLocation)
    return Gen { source in
      var array: [Element] = []
      count.draw(from: source) { array.append(element.draw(from: source)) }
      return array
    }
  }

  /// Draws an array of exactly `count` elements.
  public static func array<Element>(
    of element: Gen<Element>,
    count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen where Value == [Element] {
    array(of: element, count: count...count, sourceLocation: sourceLocation)
  }

  /// Draws a set of as many elements as `count` allows.
  ///
  /// Elements drawn twice are drawn again, sixteen times at most. A set that cannot be filled to its smallest count
  /// that way rejects the execution.
  public static func set<Element: Hashable & Sendable>(
    of element: Gen<Element>,
    count: ClosedRange<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen where Value == Set<Element> {
    let count = ElementCount(count, of: "Gen.set(of:count:)", at: sourceLocation)
    return Gen { source in
      var set: Set<Element> = []
      count.drawDistinct(from: source) { set.insert(element.draw(from: source)).inserted }
      return set
    }
  }

  /// Draws a dictionary of as many entries as `count` allows.
  ///
  /// Keys drawn twice are drawn again, sixteen times at most. A dictionary that cannot be filled to its smallest count
  /// that way rejects the execution.
  public static func dictionary<Key: Hashable & Sendable, Element>(
    keys: Gen<Key>,
    values: Gen<Element>,
    count: ClosedRange<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen where Value == [Key: Element] {
    let count = ElementCount(count, of: "Gen.dictionary(keys:values:count:)", at: sourceLocation)
    return Gen { source in
      var dictionary: [Key: Element] = [:]
      count.drawDistinct(from: source) {
        let key = keys.draw(from: source)
        if dictionary[key] != nil { return false }
        dictionary[key] = values.draw(from: source)
        return true
      }
      return dictionary
    }
  }
}

/// The most attempts of a filter or a set in a row before the execution is rejected.
let attemptLimit = 16

/// Draws in spans of their own until `isGood`; returns false if the attempts were used up.
func attempt(from source: ChoiceTape, _ isGood: () -> Bool) -> Bool {
  for _ in 0..<attemptLimit {
    source.beginSpan(.attempt)
    let isDone = isGood()
    source.endSpan(isDiscarded: !isDone)
    if isDone { return true }
  }
  return false
}
