// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// This process, if another one has started it to run executions that may end it.
///
/// It runs the one test, up to the exploration that the other process asks for, and then the commands from a socket.
final class Worker: Sendable {
  /// Nil in any other process.
  static let current: Worker? = {
    guard Environment["NAPKIN_WORKER"] != nil, let task: WorkerTask = received() else { return nil }
    return Worker(task)
  }()

  private let task: WorkerTask
  private let isServing = Mutex(false)

  private init(_ task: WorkerTask) { self.task = task }

  /// The requests of the other process.
  enum Command: Codable {
    /// Some of the executions, or the one of a token.
    case search(Range<Int>, token: String?)
    /// The choices of one execution.
    case replay(ReplayRequest)
  }

  /// The messages of this process: the answer to a command, and the end of the process.
  enum Message<Answer: Codable>: Codable {
    case answer(Answer)
    case ending(WorkerEnding.Report)
    case place(SourcePlace)
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
  func serve(_ context: SearchContext, _ body: @escaping @Sendable () async throws -> Void) async -> Never {
    var context = context
    context.database = nil
    isServing.withLock { $0 = true }
    Self.send(Message.answer(true))
    var run = Search(context, body)
    while let command: Command = Self.received() {
      switch command {
      case .search(let range, let token):
        // A part begins with strategies that have seen nothing, so the earlier parts in this process do not matter.
        var context = context
        if let token { (context.explorer.strategy, context.explorer.executions) = (.replay(token), 1) }
        run = Search(context, body)
        Self.send(Message.answer(await run.part(range)))
      case .replay(let request):
        _ = try? await run.prepare()
        let isShown = request.isLogged && !request.isHidden
        if isShown { napkin_worker_shows_output(true) }
        let outcome = await run.captured(request)
        if isShown { napkin_worker_shows_output(false) }
        Self.send(Message.answer(outcome))
      }
    }
    napkin_leave(0)
    fatalError("a process that was left goes on")
  }

  /// Says how an execution ends this process, from the handler of the signal.
  func report(_ ending: WorkerEnding.Report) {
    guard isServing.withLock({ $0 }) else { return }
    Self.send(Message<Bool>.ending(ending))
    // The rest costs more, and can fail where little works any more.
    if let place = Symbolicator.caller() { Self.send(Message<Bool>.place(place)) }
  }

  /// The next message of the other process; nil once that one has ended the conversation.
  private static func received<Message: Decodable>() -> Message? {
    guard let line = napkin_receive_as_worker() else { return nil }
    defer { napkin_free(line) }
    let message: Message? = Wire.message(String(cString: line).utf8)
    if message == nil { napkin_leave(1) }
    return message
  }

  private static func send(_ message: some Encodable) {
    let line = Wire.line(message)
    _ = napkin_send(Int32(napkin_worker_socket), line, line.utf8.count)
  }
}
