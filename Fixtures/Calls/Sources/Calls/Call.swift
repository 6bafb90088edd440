// SPDX-License-Identifier: Apache-2.0

/// The task that makes a call, and what it is isolated to.
enum Place: String, CaseIterable, Sendable {
  case body, pool, main, actor
  var isSerial: Bool { self == .main || self == .actor }
}

/// A call of the concurrency runtime between two lines, and the orders of the lines that Swift allows.
struct Call: Sendable {
  typealias Body = @Sendable (isolated (any Actor)?, Log) async -> Void

  let name: String
  /// The lines that a run may log: mostly one set of letters, more where a value is logged.
  let lines: [String]
  /// Pairs such as `a<b`: where both letters are there, the first one comes first.
  let rules: String
  /// The pairs that hold in addition where the caller is on an actor.
  let serial: String
  /// Whether an exploration stops a task at this call; the article "What a pass proves" lists those where it does not.
  let isPoint: Bool
  /// Whether a task of its own is logged beside it, too.
  let hasBystander: Bool
  let places: [Place]
  /// What the rules cannot say.
  let holds: @Sendable (String, Place) -> Bool
  /// Whether no stop at a call leads to an outcome, which the article says of its kind: two lines without a call between them are
  /// one, and a task that wants a lock of the runtime's own waits for it.
  let isApart: @Sendable (String) -> Bool
  let body: Body

  init(
    _ name: String, _ lines: String..., rules: String, serial: String = "", isPoint: Bool = true,
    bystander: Bool = true,
    places: [Place] = Place.allCases, holds: @escaping @Sendable (String, Place) -> Bool = { _, _ in true },
    body: @escaping Body
  ) {
    self.init(
      name, lines: lines, rules: rules, serial: serial, isPoint: isPoint, bystander: bystander, places: places,
      holds: holds, isApart: { _ in false }, body: body)
  }

  private init(
    _ name: String, lines: [String], rules: String, serial: String, isPoint: Bool, bystander: Bool, places: [Place],
    holds: @escaping @Sendable (String, Place) -> Bool, isApart: @escaping @Sendable (String) -> Bool,
    body: @escaping Body
  ) {
    self.name = name
    self.lines = lines
    self.rules = rules
    self.serial = serial
    self.isPoint = isPoint
    self.hasBystander = bystander
    self.places = places
    self.holds = holds
    self.isApart = isApart
    self.body = body
  }

  /// The same with some of it changed.
  func copy(
    lines: [String]? = nil, rules: String? = nil, bystander: Bool? = nil, places: [Place]? = nil,
    holds: (@Sendable (String, Place) -> Bool)? = nil, isApart: (@Sendable (String) -> Bool)? = nil
  ) -> Call {
    Call(
      name, lines: lines ?? self.lines, rules: rules ?? self.rules, serial: serial, isPoint: isPoint,
      bystander: bystander ?? hasBystander, places: places ?? self.places, holds: holds ?? self.holds,
      isApart: isApart ?? self.isApart, body: body)
  }

  /// The same, where a condition holds for each outcome.
  func only(_ condition: @escaping @Sendable (String) -> Bool) -> Call {
    copy(holds: { outcome, _ in condition(outcome) })
  }

  /// The same, where no stop at a call leads to some outcomes.
  func apart(_ condition: @escaping @Sendable (String) -> Bool) -> Call { copy(isApart: condition) }

  /// The same, where a line is never logged at some places.
  func never(_ line: Character, where isAt: @escaping @Sendable (Place) -> Bool) -> Call {
    copy(holds: { outcome, place in !isAt(place) || !outcome.contains(line) })
  }

  static let all = makers + groups + continuations + streams + cancels + asks + hops + shapes + proofs
}

/// A call at a place, with a bystander or without one.
struct Program: Sendable {
  let call: Call
  let place: Place
  let hasBystander: Bool

  var name: String { "\(call.name)/\(place)\(hasBystander ? "+y" : "")" }

  static let all = Call.all.flatMap { call in
    call.places.flatMap { place in
      (call.hasBystander ? [false, true] : [false]).map { Program(call: call, place: place, hasBystander: $0) }
    }
  }

  func run() async -> String {
    let log = Log()
    let body: Call.Body = { place, log in
      let bystander = hasBystander ? Task.detached { log.late("y") } : nil
      await call.body(place, log)
      await bystander?.value
    }
    switch place {
    case .body: await body(nil, log)
    case .pool: await Task.detached { await body(nil, log) }.value
    case .main: await Task { @MainActor in await body(MainActor.shared, log) }.value
    case .actor: await Caller().run(body, log)
    }
    return log.outcome
  }

  /// The orders of the lines that no rule excludes.
  var allowed: Set<String> {
    let rules = "\(call.rules) \(place.isSerial ? call.serial : "")".split(separator: " ").map(Array.init)
    var found: Set<String> = []
    for lines in call.lines { extend([], by: Array(lines) + (hasBystander ? ["y"] : []), rules, &found) }
    return found.filter { call.holds($0, place) }
  }

  private func extend(_ start: [Character], by rest: [Character], _ rules: [[Character]], _ found: inout Set<String>) {
    if rest.isEmpty { found.insert(String(start)) }
    for (index, next) in rest.enumerated() {
      var others = rest
      others.remove(at: index)
      if rules.contains(where: { $0[2] == next && others.contains($0[0]) }) { continue }
      extend(start + [next], by: others, rules, &found)
    }
  }
}

actor Caller {
  func run(_ body: Call.Body, _ log: Log) async { await body(self, log) }
}

/// A task off every actor that has run to its first suspension when this returns.
func parked(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
  Task.immediateDetached { await operation() }
}
