// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// A drawn sequence of actions, split over callers that run at the same time.
///
/// It is a list of rounds. In a round every caller runs its actions one after the other, beside the other callers; the
/// next round begins when the system has come to rest.
struct FuzzProgram<System: Sendable>: Sendable {
  /// The actions of each caller, and the states of the models after them.
  struct Round: Sendable {
    var lanes: [[FuzzStep<System>]]
    var states: FuzzModelStates
  }

  var rounds: [Round] = []
  private var states = FuzzModelStates()

  /// Draws programs; zeros make one action after the other, each in a round of its own.
  static func generator(_ actions: [FuzzAction<System>], count: ClosedRange<Int>, callers: Int) -> Gen<FuzzProgram> {
    let place = Gen<Int>.int(in: 0...callers)
    let counter = ElementCount(count, of: "Fuzzer.run(actions:)", at: #_sourceLocation)
    let choice = actions.contains(where: \.followsModel) ? nil : choice(actions, FuzzModelStates())
    return Gen { source in
      var program = FuzzProgram()
      counter.draw(from: source) {
        // In a state in which the models allow no action, a shorter program is drawn.
        guard let step = (choice ?? Self.choice(actions, program.states))?.draw(from: source) else { return }
        program.append(step, place: place.draw(from: source), callers: callers)
        for update in step.updates { update(&program.states) }
        for update in actions[step.action].updates { update(&program.states) }
        program.rounds[program.rounds.count - 1].states = program.states
      }
      return program
    }
  }

  /// Draws one of the actions that the models allow; nil if they allow none.
  private static func choice(_ actions: [FuzzAction<System>], _ states: FuzzModelStates) -> Gen<FuzzStep<System>>? {
    let steps = actions.enumerated().compactMap { number, action -> (weight: Int, generator: Gen<FuzzStep<System>>)? in
      guard action.isAllowed?(states) ?? true, let step = action.step(states) else { return nil }
      return (
        action.weight,
        step.map { step in
          var step = step
          step.action = number
          return step
        }
      )
    }
    return steps.isEmpty ? nil : .frequency(steps)
  }

  /// Place zero waits for all callers and begins a round; place `n` is the `n`th caller of the current round.
  private mutating func append(_ step: FuzzStep<System>, place: Int, callers: Int) {
    if place == 0 || rounds.isEmpty {
      rounds.append(Round(lanes: Array(repeating: [], count: callers), states: states))
    }
    rounds[rounds.count - 1].lanes[max(place, 1) - 1].append(step)
  }

  /// The program as a story: `"log in" → ("tap profile" → "tap back") ∥ "log out"`.
  var story: String {
    rounds.map { round in round.lanes.map { lane in lane.map { "\"\($0.title)\"" } }.inLanes }.joined(separator: " → ")
  }
}

/// An action that was drawn, with everything that it needs.
struct FuzzStep<System: Sendable>: Sendable {
  /// The result: nil if it was skipped, else a text to add to the log.
  typealias Outcome = String?

  let title: String
  /// The place of its action among those of the fuzzer.
  var action = 0
  /// How its arguments change the models.
  var updates: [@Sendable (inout FuzzModelStates) -> Void] = []
  let perform: nonisolated(nonsending) @Sendable (System, FuzzRun<System>) async -> Outcome
}

/// An invariant of the test.
struct FuzzInvariant<System: Sendable>: Sendable {
  let name: String
  let checkpoint: InvariantCheckpoint
  /// Whether it compares with a model, so that it says nothing where a drawn action was skipped.
  var followsModel = false
  let holds: @isolated(any) @Sendable (System, FuzzModelStates) async -> Bool
}

/// When an invariant is checked.
public enum InvariantCheckpoint: Sendable, Hashable, CaseIterable {
  /// When every action has returned and no task is ready.
  case atRest

  /// At rest, and whenever an action has returned, while other callers may be running theirs.
  case afterEveryAction
}
