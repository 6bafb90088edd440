// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// This process, if another one has started it to run executions that may end it.
///
/// It runs the one test, up to the exploration that the other process asks for, and then carries out what comes through a socket.
final class Worker: Sendable {
  /// Nil in any other process.
  static let current: Worker? = {
    guard Environment["NAPKIN_WORKER"] != nil, let task = received() else { return nil }
    guard let key = task["key"]?.string, let test = task["test"]?.string else { return nil }
    return Worker(key: key, test: test, occurrence: task["occurrence"]?.int ?? 1)
  }()

  private let key: String
  private let test: String
  private let occurrence: Int
  private let isServing = Mutex(false)

  private init(key: String, test: String, occurrence: Int) {
    self.key = key
    self.test = test
    self.occurrence = occurrence
  }

  /// The role of this process in an exploration.
  enum Part {
    /// It is the one that is asked for.
    case serve
    /// It comes before that one in the same test, which may need its result.
    case run
    /// It belongs to other arguments of the test.
    case skip
  }

  func part(in key: String, occurrence: Int) -> Part {
    if key == self.key { return occurrence == self.occurrence ? .serve : .run }
    return key.hasPrefix(test) ? .run : .skip
  }

  /// Runs what the other process asks for, until that one ends the conversation; and then ends the process.
  func serve(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) async -> Never {
    var explorer = explorer
    explorer.database = nil
    isServing.withLock { $0 = true }
    napkin_watch_exit { CrashReport.reportExit() }
    Self.send(.members(["ready": .bool(true)]))
    var run = ExplorationRun(explorer, body)
    while let command = Self.received() {
      if let range = command["search"]?.array, range.count == 2, let start = range[0].int, let end = range[1].int {
        // A part begins with strategies that have seen nothing, so that it does not matter what this process ran before.
        var explorer = explorer
        if let token = command["token"]?.string { (explorer.strategy, explorer.executions) = (.replay(token), 1) }
        run = ExplorationRun(explorer, body)
        let known = command["known"].flatMap { KnownFailures($0) }
        Self.send(await run.part(start..<end, past: known).json)
      } else if let request = command["replay"].flatMap({ ReplayRequest($0) }) {
        try? await run.prepare()
        if request.isLogged { napkin_worker_shows_output(true) }
        let outcome = await run.captured(request)
        if request.isLogged { napkin_worker_shows_output(false) }
        Self.send(outcome.json)
      }
    }
    napkin_leave()
    fatalError("a process that was left goes on")
  }

  /// Says how an execution ends this process, from the handler of the signal.
  func report(_ ending: String, signal: Int32, overflows: Bool, execution: Int, outcome: Simulation.Outcome) {
    guard isServing.withLock({ $0 }) else { return }
    Self.send(
      .members([
        "ending": .string(ending), "signal": .int(Int(signal)), "overflows": .bool(overflows),
        "execution": .int(execution),
        "outcome": outcome.json,
      ]))
    // What follows costs more, and can fail where little works any more.
    if let place = Symbolicator.caller() { Self.send(.members(["place": place.json])) }
  }

  private static func received() -> JSONValue? {
    guard let line = napkin_receive_as_worker() else { return nil }
    defer { napkin_free(line) }
    return JSONValue(String(cString: line).utf8)
  }

  private static func send(_ value: JSONValue) {
    let line = value.text + "\n"
    _ = napkin_send(Int32(napkin_worker_socket), line, line.utf8.count)
  }
}

extension ExplorationRun.Part: WireValue {
  var json: JSONValue {
    .members([
      "outcomes": .values(outcomes), "isExhausted": .bool(isExhausted), "warnings": .values(processWarnings),
    ])
  }

  init?(_ json: JSONValue) {
    guard let outcomes = json["outcomes"] else { return nil }
    self.init(
      outcomes: outcomes.values(as: Simulation.Outcome.self), isExhausted: json["isExhausted"]?.bool ?? false,
      processWarnings: (json["warnings"] ?? .null).values(as: ExplorationWarning.self))
  }
}
