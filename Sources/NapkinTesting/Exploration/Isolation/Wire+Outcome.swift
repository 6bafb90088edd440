// SPDX-License-Identifier: Apache-2.0

extension Simulation.Outcome: WireValue {
  package var json: JSONValue {
    .members([
      "diagnostics": .values(diagnostics), "steps": .int(steps), "choices": .int(choices), "hash": .wide(scheduleHash),
      "sequence": sequence?.json, "log": log?.json, "drawn": .texts(drawn), "early": .int(early),
      "cancelled": .texts(cancelled), "met": .int(met), "outOfReach": .int(outOfReach), "fair": .bool(hasGoneFair),
      "nanoseconds": .int(Int(duration / .nanoseconds(1))), "rejection": rejection?.json, "warnings": .values(warnings),
      "hadChoices": .bool(hadChoices), "lostControl": .bool(isOutOfControl), "more": .bool(hasMoreThanOrder),
      "holdsBack": .bool(holdsBack), "actors": .bool(hasActors),
      "holdsBack": .bool(holdsBack), "leftWaiting": leftWaiting.map { .int($0) }, "waiting": .texts(waiting),
    ])
  }

  package init?(_ json: JSONValue) {
    guard let diagnostics = json["diagnostics"], let steps = json["steps"]?.int else { return nil }
    self.init(
      diagnostics: diagnostics.values(as: Diagnostic.self), steps: steps, choices: json["choices"]?.int ?? 0,
      scheduleHash: json["hash"]?.wide ?? 0)
    sequence = json["sequence"].flatMap { ChoiceSequence($0) }
    log = json["log"].flatMap { EventLog($0) }
    drawn = json["drawn"]?.texts ?? []
    early = json["early"]?.int ?? 0
    cancelled = json["cancelled"]?.texts ?? []
    met = json["met"]?.int ?? 0
    outOfReach = json["outOfReach"]?.int ?? 0
    hasGoneFair = json["fair"]?.bool ?? false
    duration = .nanoseconds(json["nanoseconds"]?.int ?? 0)
    rejection = json["rejection"].flatMap { Diagnostic($0) }
    warnings = (json["warnings"] ?? .null).values(as: ExplorationWarning.self)
    hadChoices = json["hadChoices"]?.bool ?? false
    isOutOfControl = json["lostControl"]?.bool ?? false
    hasMoreThanOrder = json["more"]?.bool ?? false
    holdsBack = json["holdsBack"]?.bool ?? false
    hasActors = json["actors"]?.bool ?? false
    leftWaiting = json["leftWaiting"]?.int
    waiting = json["waiting"]?.texts ?? []
  }
}
