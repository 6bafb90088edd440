// SPDX-License-Identifier: Apache-2.0

package import Testing

/// One line of JSON for each exploration of a test, for programs that watch many machines.
///
/// ``LogTarget`` has where they go.
package enum RunLog {
  /// Writes the line of an exploration, if one is asked for.
  static func write(_ exploration: Exploration, of explorer: Explorer, at sourceLocation: SourceLocation) {
    target?.write(line(of: exploration, by: explorer, at: sourceLocation))
  }

  /// Whether the lines go to standard output, in place of those of passing explorations.
  static var isOnOutput: Bool { target.map { $0.file == nil } ?? false }

  private static let target = LogTarget.asked.flatMap { $0.isOfCases ? nil : $0 }

  /// The line, without its end.
  package static func line(
    of exploration: Exploration, by explorer: Explorer, at sourceLocation: SourceLocation
  ) -> String {
    let settings = (try? RunSettings.current()) ?? RunSettings()
    let milliseconds = exploration.duration / .milliseconds(1)
    return JSONText.object([
      "test": JSONText.string(Test.current.map { "\($0.id)" } ?? "\(sourceLocation.fileID)"),
      "key": JSONText.string(FailureDatabase.key(sourceLocation)),
      "file": JSONText.string("\(sourceLocation.fileID)"),
      "line": "\(sourceLocation.line)",
      "strategy": JSONText.string("\(explorer.strategy)"),
      "seed": JSONText.string("\(settings.seed ?? explorer.seed)"),
      "shard": JSONText.string("\(settings.shard.index)/\(settings.shard.count)"),
      "executions": "\(exploration.executions)",
      "discarded": "\(exploration.discardedExecutions)",
      "steps": "\(exploration.steps)",
      "schedules": "\(exploration.distinctSchedules)",
      "exhaustive": "\(exploration.isExhaustive)",
      "part": exploration.part.map { JSONText.string("\($0)") },
      "sample": JSONText.array(exploration.sampledSchedules.map { JSONText.string(String($0, radix: 36)) }),
      "unseen": exploration.saturation.estimatedUnseenProbability.map { "\($0)" },
      "milliseconds": "\((milliseconds * 10).rounded() / 10)",
      "inOrder": JSONText.array(
        exploration.alwaysInOrder(inModule: sourceLocation.moduleName).map { JSONText.string($0) }),
      "warnings": JSONText.array(exploration.warnings.map { JSONText.string($0) }),
      "labels": JSONText.array(
        exploration.labels.sorted { $0.key < $1.key }.map {
          JSONText.object(["name": JSONText.string($0.key), "executions": "\($0.value)"])
        }),
      "goals": JSONText.array(
        exploration.tally.goals.map {
          JSONText.object(["name": JSONText.string($0.name), "share": "\($0.share)"])
        }),
      "known": JSONText.array(
        exploration.knownFailures.map {
          JSONText.object(["name": JSONText.string($0.name), "executions": "\($0.executions)"])
        }),
      "failures": JSONText.array(exploration.failures.map(failure)),
    ])
  }

  private static func failure(_ failure: Exploration.Failure) -> String {
    JSONText.object([
      "execution": "\(failure.execution)",
      "token": JSONText.string(failure.schedule),
      "messages": JSONText.array(failure.messages.map { JSONText.string($0) }),
      "at": failure.sourceLocation.map { JSONText.string("\($0.fileID):\($0.line)") },
      "deviations": "\(failure.deviations)",
      "shrunkIn": "\(failure.shrinking.executions)",
    ])
  }
}
