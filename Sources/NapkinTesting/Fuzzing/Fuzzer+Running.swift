// SPDX-License-Identifier: Apache-2.0

internal import Testing

extension Fuzzer {
  /// Runs one execution of a drawn program.
  typealias Life = @Sendable (Gen<FuzzProgram<System>>, FuzzTally) async -> Void

  func run(
    _ explorer: Explorer, _ actions: ClosedRange<Int>, _ concurrency: Int, _ life: @escaping Life
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) { return .failed(misuse, seed: 0) }
    let tally = FuzzTally(actions: self.actions.count)
    var exploration = await explorer.run(body(actions, concurrency, tally, life))
    exploration.diagnostics += tally.warnings(exploration, of: self.actions)
    return exploration
  }

  func check(
    _ explorer: Explorer, _ actions: ClosedRange<Int>, _ concurrency: Int, _ sourceLocation: SourceLocation,
    _ life: @escaping Life
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) {
      let exploration = Exploration.failed(misuse, seed: 0)
      exploration.failure?.record(sourceLocation: sourceLocation)
      return exploration
    }
    let tally = FuzzTally(actions: self.actions.count)
    return await explorer.check(
      sourceLocation: sourceLocation, body(actions, concurrency, tally, life)
    ) { tally.warnings($0, of: self.actions) }
  }

  private func body(
    _ actions: ClosedRange<Int>, _ concurrency: Int, _ tally: FuzzTally, _ life: @escaping Life
  ) -> @Sendable () async -> Void {
    let programs = FuzzProgram.generator(self.actions, count: actions, callers: concurrency)
    return { await life(programs, tally) }
  }

  /// The diagnostic for a wrong argument of `run` or `check`, if there is one.
  private func misuse(actions count: ClosedRange<Int>, concurrency: Int) -> Diagnostic? {
    let name = "The fuzzer of \(System.self)"
    if actions.isEmpty {
      return Diagnostic(
        .misuse, "\(name) has no actions.",
        likelyCause: "no call of .action(…) comes before .run(…) or .check(…).",
        suggestion: """
          add what can be done to the system, such as .action("tap profile") { await $0.interactor.didTapProfile() }.
          """)
    }
    if let action = actions.first(where: { $0.weight <= 0 }) {
      return Diagnostic(
        .misuse,
        "\(name) has the action \"\(action.name)\" with the weight \(action.weight), so it could never be drawn.",
        likelyCause: "a weight is how often an action is drawn beside the others.",
        suggestion: "pass a positive weight, or leave the action out.", at: action.sourceLocation)
    }
    if count.lowerBound < 0 {
      return Diagnostic(
        .misuse, "\(name) was given actions: \(count), a negative number of them.",
        likelyCause: "the range was computed, or mistyped.",
        suggestion: "pass a range that begins at 0 or more, such as 1...16.")
    }
    if concurrency < 1 {
      return Diagnostic(
        .misuse, "\(name) was given concurrency: \(concurrency), so no caller could run an action.",
        likelyCause: "the number was computed, or mistyped.", suggestion: "pass 1 for one caller at a time, or more.")
    }
    return nil
  }
}
