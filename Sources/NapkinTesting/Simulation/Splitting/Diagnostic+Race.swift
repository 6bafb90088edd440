// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Scheduler {
  /// The first data race of the execution; nil if there was none.
  func takeRace() -> Diagnostic? {
    guard split != nil else { return nil }
    var race = napkin_race()
    guard napkin_take_race(&race) else { return nil }
    return .dataRace(words(race.first), words(race.second), at: [race.first.caller, race.second.caller])
  }

  private func words(_ access: napkin_race_access) -> String {
    let task = log?.log.title(ofTask: Int(access.task)) ?? "task \(access.task)"
    let verb = (access.writes ? "writes" : "reads") + (access.is_atomic ? " atomically" : "")
    let place = withUnsafeBytes(of: access.frames) { frames in
      Symbolicator.caller(among: frames.bindMemory(to: UInt.self).prefix(access.count))
    }
    guard let place else { return "\(task) \(verb)" }
    let locks = access.locks == 0 ? "no lock" : access.locks == 1 ? "one lock" : "\(access.locks) locks"
    return "\(task) \(verb) at \(place.fileAndLine.map { "\($0) in " } ?? "")\(place.text), with \(locks)"
  }
}

extension Diagnostic {
  /// Two accesses that nothing orders, each in words, and the code that makes them.
  static func dataRace(_ first: String, _ second: String, at callers: [UInt]) -> Diagnostic {
    var diagnostic = Diagnostic(
      .dataRace,
      """
      Data race: two tasks access the same memory, and nothing orders the two accesses.
      Accesses: \(first); \(second).
      """,
      likelyCause: "state that several tasks share is neither on an actor, nor kept by one lock at each access.",
      suggestion: """
        keep the state in an actor or a Mutex; a publication by an atomic needs .releasing where it is stored and \
        .acquiring where it is loaded.
        """)
    diagnostic.subject = callers.sorted().map { String($0, radix: 16) }.joined(separator: "-")
    return diagnostic
  }
}
