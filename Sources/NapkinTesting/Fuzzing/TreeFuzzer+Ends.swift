// SPDX-License-Identifier: Apache-2.0

internal import Testing

extension TreeFuzzer {
  /// Lets a caller be cancelled by another in the middle of what it does; it goes on with its actions, cancelled.
  func cancellingCallers(weight: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let step = Gen<Int>.int(in: 1...3).map { number in
      FuzzStep<Root>(title: "cancel caller \(number)") { _, run in run.cancelCaller(number) ? "" : nil }
    }
    return adding(FuzzAction(name: "cancel caller", weight: weight, sourceLocation: sourceLocation, step: step))
  }

  /// Lets the root be released in the middle of a round; what is left of the program is skipped.
  func releasingRoot(weight: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let step = FuzzStep<Root>(title: "release the root") { _, run in
      run.releaseRoot()
      return ""
    }
    return adding(
      FuzzAction(name: "release the root", weight: weight, sourceLocation: sourceLocation, step: .just(step)))
  }
}
