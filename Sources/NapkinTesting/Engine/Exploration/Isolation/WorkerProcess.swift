// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import NapkinTestingCRuntime
internal import Synchronization
internal import Testing

/// A process of the same program that runs executions of one exploration.
final class WorkerProcess: Sendable {
  /// The reply to a command.
  enum Reply<Answer: Sendable>: Sendable {
    case answer(Answer)
    /// The process has ended.
    case ended(WorkerEnding)
  }

  private struct Handle: @unchecked Sendable {
    // One command at a time is under way, so one thread at a time uses it.
    var worker: napkin_worker
  }

  private let handle: Mutex<Handle?>

  private init(_ worker: napkin_worker) { handle = Mutex(Handle(worker: worker)) }

  deinit { stop() }

  /// Starts a process and waits until it has come to the exploration; nil if it cannot.
  static func start(_ task: WorkerTask) async -> WorkerProcess? {
    guard let arguments = arguments(filter: task.filter) else { return nil }
    var worker = napkin_worker()
    let changes = [
      "NAPKIN_WORKER=1", "SWIFT_BACKTRACE=enable=no", "NAPKIN_AUTOPSY", "NAPKIN_REPORT_DIR", "NAPKIN_DATABASE=off",
    ]
    let isStarted = withCStrings(arguments) { arguments in
      withCStrings(changes) { napkin_start_worker(&worker, arguments, $0) }
    }
    guard isStarted else { return nil }
    let process = WorkerProcess(worker)
    let reply: Reply<Bool> = await process.ask(task)
    guard case .answer = reply else { return nil }
    return process
  }

  /// Sends a command, and waits for the reply.
  func ask<Answer: Codable>(_ command: some Encodable & Sendable) async -> Reply<Answer> {
    await withUnsafeContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.askAndWait(command)) }
    }
  }

  private func askAndWait<Answer: Codable>(_ command: some Encodable) -> Reply<Answer> {
    guard let handle = handle.withLock({ $0 }), let stream = handle.worker.stream else { return .ended(WorkerEnding()) }
    var worker = handle.worker
    let line = Wire.line(command)
    _ = napkin_send_to_worker(&worker, line, line.utf8.count)
    var ending = WorkerEnding()
    while let text = napkin_receive(stream) {
      defer { napkin_free(text) }
      let line = String(cString: text).utf8
      // Without an end it is the last one of a process that ended meanwhile.
      guard line.last == 0x0A else { continue }
      switch Wire.message(line) as Worker.Message<Answer>? {
      case .answer(let answer): return .answer(answer)
      case .ending(let report): ending.report = report
      case .place(let place): ending.place = place
      case nil:
        _ = end(kills: true)
        return .ended(.unreadable)
      }
    }
    (ending.status, ending.errors) = end(kills: false)
    return .ended(ending)
  }

  /// Ends the process.
  func stop() { _ = end(kills: true) }

  private func end(kills: Bool) -> (Int, String) {
    guard
      var handle = handle.withLock({ handle in
        defer { handle = nil }
        return handle
      })
    else { return (0, "") }
    var errors = [CChar](repeating: 0, count: 65_536)
    let status = napkin_end_worker(&handle.worker, kills, &errors, errors.count)
    return (Int(status), String(decoding: errors.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// The arguments that make this program run one test of Swift Testing; nil if it does not run such tests.
  static func arguments(filter: String) -> [String]? {
    let own = CommandLine.arguments
    guard let program = own.first, XCTestBridge.runsSwiftTesting(own) else { return nil }
    var arguments = [program]
    if let bundle = own.firstIndex(of: "--test-bundle-path"), bundle + 1 < own.count {
      arguments += ["--test-bundle-path", own[bundle + 1]]
    }
    return arguments + ["--testing-library", "swift-testing", "--no-parallel", "--filter", filter]
  }

  /// Lends texts as a list of C strings with NULL at its end.
  static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { text in
      let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
      _ = bytes.initialize(from: text.utf8.map { CChar(bitPattern: $0) } + [0])
      return bytes
    }
    defer { for copy in copies { copy.deallocate() } }
    return body(copies.map(\.baseAddress) + [nil])
  }
}

extension WorkerTask {
  /// The exploration of a key in the running test; nil outside of Swift Testing.
  init?(key: String, occurrence: Int) {
    guard let test = Test.current else { return nil }
    self.key = key
    self.occurrence = occurrence
    self.test = FailureDatabase.testKey
    filter = "^" + "\(test.id)".replacing(#/[\\^$.|?*+()\[\]{}\/]/#) { "\\" + $0.output } + "$"
  }
}

/// The worker processes of one exploration.
actor WorkerPool {
  private let task: WorkerTask
  private var idle: [WorkerProcess] = []
  private var live = 0
  private var waiting: [CheckedContinuation<WorkerProcess?, Never>] = []

  init(_ task: WorkerTask) { self.task = task }

  /// Whether a process comes to the exploration.
  func isReachable() async -> Bool {
    guard let worker = await take() else { return false }
    give(worker)
    return true
  }

  /// A process that waits for a command; nil if none can be started that comes to the exploration.
  func take() async -> WorkerProcess? {
    while true {
      if let worker = idle.popLast() { return worker }
      if await WorkerSlots.shared.takeIfFree() { break }
      if let worker = idle.popLast() { return worker }
      // While other explorations have the rest, one process has to do.
      if live == 0 {
        await WorkerSlots.shared.take()
        break
      }
      if let worker = await withCheckedContinuation({ waiting.append($0) }) { return worker }
    }
    live += 1
    if let worker = await WorkerProcess.start(task) { return worker }
    await forget()
    return nil
  }

  /// Gives a process back that waits for a command again.
  func give(_ worker: WorkerProcess) {
    if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
  }

  /// A process has ended.
  func forget() async {
    live -= 1
    await WorkerSlots.shared.give()
    if !waiting.isEmpty { waiting.removeFirst().resume(returning: nil) }
  }

  func stop() async {
    while let worker = idle.popLast() {
      worker.stop()
      await forget()
    }
  }
}

/// How many worker processes there may be at once, over all tests that run at the same time.
private actor WorkerSlots {
  static let shared = WorkerSlots()

  private var count = max(2, Int(napkin_processors()), RunSettings.mostJobs)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func takeIfFree() -> Bool {
    guard count > 0 else { return false }
    count -= 1
    return true
  }

  func take() async {
    if takeIfFree() { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    if waiting.isEmpty { count += 1 } else { waiting.removeFirst().resume() }
  }
}

/// The form of a message between a worker process and the process that started it: a line of JSON.
///
/// Both processes run one program, so a message says nothing of its own form.
package enum Wire {
  /// The message as a line, with its end, which JSON has nowhere in itself.
  package static func line(_ message: some Encodable) -> String {
    // No message has a value that JSON has not; an empty line is none.
    ((try? JSONEncoder().encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "") + "\n"
  }

  /// Reads a line; nil where it is another message, or none.
  package static func message<Message: Decodable>(_ line: some Sequence<UInt8>) -> Message? {
    try? JSONDecoder().decode(Message.self, from: Data(line))
  }
}
