// SPDX-License-Identifier: Apache-2.0

extension Simulation.Outcome: WireValue {
  /// What is as in most executions is left out, since there is one of these for each execution.
  package var json: JSONValue {
    .members([
      "diagnostics": .unlessEmpty(.values(diagnostics)), "steps": .int(steps), "choices": .int(choices),
      "hash": .wide(scheduleHash), "sequence": sequence?.json, "log": log?.json, "drawn": .unlessEmpty(.texts(drawn)),
      "early": .unlessZero(early), "cancelled": .unlessEmpty(.texts(cancelled)), "met": .unlessZero(met),
      "outOfReach": .unlessZero(outOfReach), "fair": .ifTrue(hasGoneFair),
      "nanoseconds": .int(Int(duration / .nanoseconds(1))), "rejection": rejection?.json,
      "warnings": .unlessEmpty(.values(warnings)), "hadChoices": .ifTrue(hadChoices),
      "lostControl": .ifTrue(isOutOfControl), "more": .ifTrue(hasMoreThanOrder), "holdsBack": .ifTrue(holdsBack),
      "actors": .ifTrue(hasActors), "leftWaiting": leftWaiting.map { .int($0) },
      "preemptions": preemptions.map { .int($0) },
      "waiting": .unlessEmpty(.texts(waiting)),
    ])
  }

  package init?(_ json: JSONValue) {
    guard let steps = json["steps"]?.int else { return nil }
    self.init(
      diagnostics: (json["diagnostics"] ?? .null).values(as: Diagnostic.self), steps: steps,
      choices: json["choices"]?.int ?? 0,
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
    preemptions = json["preemptions"]?.int
    leftWaiting = json["leftWaiting"]?.int
    waiting = json["waiting"]?.texts ?? []
  }
}

extension JSONValue {
  fileprivate static func unlessEmpty(_ values: JSONValue) -> JSONValue? { values.array == [] ? nil : values }
  fileprivate static func unlessZero(_ value: Int) -> JSONValue? { value == 0 ? nil : .int(value) }
  fileprivate static func ifTrue(_ value: Bool) -> JSONValue? { value ? .bool(true) : nil }
}
