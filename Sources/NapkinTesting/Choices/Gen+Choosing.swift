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
  /// An empty collection is a fault of the test: it is reported at `sourceLocation`, and zero, nil or something else
  /// that is empty is drawn, for a struct or an enum one that is put together of such parts. The process stops only where
  /// no value can be made up: for a class, a function or a protocol, and for what contains one of these.
  public static func element(
    of collection: some Collection<Value>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let elements = Array(collection)
    if elements.isEmpty {
      return nothingToChoose(
        from: "Gen.element(of:)",
        "an empty collection",
        remedy: "give it at least one element.",
        at: sourceLocation
      )
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
  /// An empty array is a fault of the test, reported at `sourceLocation`.
  public static func oneOf(_ alternatives: [Gen], sourceLocation: SourceLocation = #_sourceLocation) -> Gen {
    if alternatives.isEmpty {
      return nothingToChoose(
        from: "Gen.oneOf(_:)",
        "no generator",
        remedy: "give it at least one generator.",
        at: sourceLocation
      )
    }
    return Gen { source in
      source.beginSpan(.alternative)
      defer { source.endSpan(isDiscarded: false) }
      return alternatives[Int(source.draw(below: UInt64(alternatives.count), shape: .uniform))].draw(from: source)
    }
  }

  /// Draws from one of several generators, as often as its weight is large; the first is the simplest.
  ///
  /// ```swift
  /// let delay = Execution.draw(.frequency((9, .just(Duration.zero)), (1, .duration(in: .zero ... .seconds(5)))))
  /// ```
  ///
  /// A weight of zero switches an alternative off. A negative weight, or nothing with a weight, is a fault of the test,
  /// reported at `sourceLocation`.
  public static func frequency(
    _ alternatives: (weight: Int, generator: Gen)...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    frequency(alternatives, sourceLocation: sourceLocation)
  }

  /// Draws from one of several generators, as often as its weight is large; the first is the simplest.
  public static func frequency(
    _ alternatives: [(weight: Int, generator: Gen)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let weights = alternatives.map(\.weight)
    var problem: GeneratorProblem?
    if let negative = weights.first(where: { $0 < 0 }) {
      problem = GeneratorProblem(
        "Gen.frequency(_:) was given the weight \(negative).",
        likelyCause: "a weight that was computed came out negative.",
        remedy: "give a weight of zero or more; zero switches an alternative off.",
        at: sourceLocation
      )
    }
    let usable = alternatives.filter { $0.weight > 0 }
    if usable.isEmpty {
      return nothingToChoose(
        from: "Gen.frequency(_:)",
        alternatives.isEmpty ? "no generator" : "no weight above zero in \(weights)",
        remedy: "give at least one alternative a weight above zero.",
        at: sourceLocation,
        insteadOf: alternatives.first?.generator
      )
    }
    return weighted(usable, problem)
  }

  private static func weighted(
    _ alternatives: [(weight: Int, generator: Gen)],
    _ problem: GeneratorProblem?
  ) -> Gen {
    // Saturating: two weights of Int.max are a strange wish and no reason to stop.
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

  /// A generator that reports that it has nothing to draw from, and makes the best of it.
  static func nothingToChoose(
    from api: String,
    _ given: String,
    remedy: String,
    at sourceLocation: SourceLocation,
    insteadOf substitute: Gen? = nil
  ) -> Gen {
    let problem = GeneratorProblem(
      "\(api) was given \(given).",
      likelyCause: "a list that was computed came out empty.",
      remedy: remedy,
      at: sourceLocation
    )
    return Gen { source in
      source.report(problem)
      if let substitute { return substitute.draw(from: source) }
      guard let value = emptyValue(of: Value.self) else { source.abandon(problem) }
      return value
    }
  }
}
