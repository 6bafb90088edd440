// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// This process, if another one has started it to run executions that may end it.
///
/// It runs the one test, up to the exploration that the other process asks for, and then the commands from a socket.
final class Worker: Sendable {
  /// Nil in any other process.
  static let current: Worker? = {
    guard Environment["NAPKIN_WORKER"] != nil, var task = received() else { return nil }
    return Worker(task.read())
  }()

  private let task: WorkerProcess.Task
  private let isServing = Mutex(false)

  private init(_ task: WorkerProcess.Task) { self.task = task }

  /// The requests of the other process.
  enum Command: String, CaseIterable, WireValue {
    /// Some of the executions: a range, known failures and a token.
    case search
    /// The choices of one execution.
    case replay
  }

  /// The messages of this process.
  enum Message: String, CaseIterable, WireValue {
    case answer, ending, place
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
    if key == task.key { return occurrence == task.occurrence ? .serve : .run }
    return key.hasPrefix(task.test) ? .run : .skip
  }

  /// Carries out the commands of the other process, until that one ends the conversation; and then ends this process.
  func serve(_ explorer: Explorer, _ body: @escaping @Sendable () async throws -> Void) async -> Never {
    var explorer = explorer
    explorer.database = nil
    isServing.withLock { $0 = true }
    Self.send(Wire(Message.answer, true))
    var run = ExplorationRun(explorer, body)
    while var command = Self.received() {
      switch command.read() as Command {
      case .search:
        // A part begins with strategies that have seen nothing, so the earlier parts in this process do not matter.
        var explorer = explorer
        let (start, end): (Int, Int) = (command.read(), command.read())
        if let token: String = command.read() { (explorer.strategy, explorer.executions) = (.replay(token), 1) }
        if command.isBroken { napkin_leave(1) }
        run = ExplorationRun(explorer, body)
        Self.send(Wire(Message.answer, await run.part(start..<end)))
      case .replay:
        let request: ReplayRequest = command.read()
        if command.isBroken { napkin_leave(1) }
        try? await run.prepare()
        let isShown = request.isLogged && !request.isHidden
        if isShown { napkin_worker_shows_output(true) }
        let outcome = await run.captured(request)
        if isShown { napkin_worker_shows_output(false) }
        Self.send(Wire(Message.answer, outcome))
      }
    }
    napkin_leave(0)
    fatalError("a process that was left goes on")
  }

  /// Says how an execution ends this process, from the handler of the signal.
  func report(_ ending: WorkerEnding.Report) {
    guard isServing.withLock({ $0 }) else { return }
    Self.send(Wire(Message.ending, ending))
    // The rest costs more, and can fail where little works any more.
    if let place = Symbolicator.caller() { Self.send(Wire(Message.place, place)) }
  }

  private static func received() -> Wire? {
    guard let line = napkin_receive_as_worker() else { return nil }
    defer { napkin_free(line) }
    return Wire(line: String(cString: line).utf8)
  }

  private static func send(_ message: Wire) {
    let line = message.line
    _ = napkin_send(Int32(napkin_worker_socket), line, line.utf8.count)
  }
}

extension ExplorationRun.Part: WireValue {
  package func write(to wire: inout Wire) { wire.write(outcomes, isExhausted, processWarnings) }

  package init(from wire: inout Wire) {
    self.init(outcomes: wire.read(), isExhausted: wire.read(), processWarnings: wire.read())
  }
}
