// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Gen where Value: Sendable {
  /// Always draws the same value, and uses up no choice.
  public static func just(_ value: Value) -> Gen {
    Gen { _ in value }
  }

  /// Draws one of the elements of a collection, each with the same odds; the first is the simplest.
  ///
  /// ```swift
  /// let vowel = Execution.draw(.element(of: "aeiou"))
  /// ```
  ///
  /// - Precondition: The collection is not empty; otherwise the process stops with a message that names `sourceLocation`.
  public static func element(
    of collection: some Collection<Value>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let elements = Array(collection)
    if elements.isEmpty {
      nothingToDraw(
        from: "Gen.element(of:)", "an empty collection", suggestion: "pass at least one element.", at: sourceLocation)
    }
    return Gen { source in elements[Int(source.draw(below: UInt64(elements.count), shape: .uniform))] }
  }
}

extension Gen where Value: CaseIterable & Sendable {
  /// Draws one of the type's cases, each with the same odds; the one declared first is the simplest.
  public static var allCases: Gen {
    element(of: Array(Value.allCases))
  }
}

extension Gen {
  /// Draws from one of several generators, each with the same odds; the first is the simplest.
  public static func oneOf(_ alternatives: Gen..., sourceLocation: SourceLocation = #_sourceLocation) -> Gen {
    oneOf(alternatives, sourceLocation: sourceLocation)
  }

  /// Draws from one of several generators, each with the same odds; the first is the simplest.
  ///
  /// - Precondition: The array is not empty.
  public static func oneOf(_ alternatives: [Gen], sourceLocation: SourceLocation = #_sourceLocation) -> Gen {
    if alternatives.isEmpty {
      nothingToDraw(
        from: "Gen.oneOf(_:)", "no generator", suggestion: "pass at least one generator.", at: sourceLocation)
    }
    return Gen { source in
      source.beginSpan(.alternative)
      defer { source.endSpan(isDiscarded: false) }
      return alternatives[Int(source.draw(below: UInt64(alternatives.count), shape: .uniform))].draw(from: source)
    }
  }

  /// Draws from one of several generators, with odds in proportion to the weights; the first is the simplest.
  ///
  /// ```swift
  /// let delay = Execution.draw(.frequency((9, .just(Duration.zero)), (1, .duration(in: .zero ... .seconds(5)))))
  /// ```
  ///
  /// A weight of zero switches an alternative off. A negative weight is reported at `sourceLocation` and counts as zero.
  ///
  /// - Precondition: At least one weight is above zero.
  public static func frequency(
    _ alternatives: (weight: Int, generator: Gen)...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    frequency(alternatives, sourceLocation: sourceLocation)
  }

  /// Draws from one of several generators, with odds in proportion to the weights; the first is the simplest.
  ///
  /// - Precondition: At least one weight is above zero.
  public static func frequency(
    _ alternatives: [(weight: Int, generator: Gen)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let weights = alternatives.map(\.weight)
    let problem = weights.first { $0 < 0 }.map { negative in
      Diagnostic(
        .misuse, "Gen.frequency(_:) was given the weight \(negative).",
        likelyCause: "a computed weight is negative.",
        suggestion: "pass a weight of zero or more; zero switches an alternative off.",
        at: sourceLocation)
    }
    let usable = alternatives.filter { $0.weight > 0 }
    if usable.isEmpty {
      nothingToDraw(
        from: "Gen.frequency(_:)", alternatives.isEmpty ? "no generator" : "no weight above zero in \(weights)",
        suggestion: "pass at least one alternative with a weight above zero.", at: sourceLocation)
    }
    return weighted(usable, problem)
  }

  private static func weighted(
    _ alternatives: [(weight: Int, generator: Gen)],
    _ problem: Diagnostic?
  ) -> Gen {
    // Saturating, since the weights may add up to more than fits.
    let ends = alternatives.reduce(into: [UInt64]()) { ends, alternative in
      let (sum, overflow) = (ends.last ?? 0).addingReportingOverflow(UInt64(alternative.weight))
      ends.append(overflow ? .max : sum)
    }
    let generators = alternatives.map(\.generator)
    return Gen { source in
      if let problem { source.report(problem) }
      source.beginSpan(.alternative)
      defer { source.endSpan(isDiscarded: false) }
      let number = source.draw(below: ends.last ?? 1, shape: .uniform)
      let index = ends.firstIndex { number < $0 } ?? 0
      return generators[index].draw(from: source)
    }
  }
}

/// Stops the process for a generator without a value to draw; nothing could be returned from its first draw.
func nothingToDraw(
  from api: String, _ given: String, suggestion: String, at sourceLocation: SourceLocation
) -> Never {
  Diagnostic(
    .misuse, "\(api) was given \(given).", likelyCause: "a computed list is empty.", suggestion: suggestion,
    at: sourceLocation
  ).stop()
}
