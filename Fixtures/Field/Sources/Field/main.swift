// SPDX-License-Identifier: Apache-2.0

// One case in a process of its own, so that a crash is a result: `run` starts it, and reads the line that it prints.
//   field list                                    the cases: name, kind, subject, place, words of the first sentence
//   field before|after CASE SEED EXECUTIONS [STRATEGY]   the first failure: execution, first sentence, message
//   field report CASE SEED                        the whole report of the first failure before the repair
//   field threads CASE before|after RUNS SECONDS  without the engine: runs, failures, what the first one says
import Foundation
@_spi(Benchmarks) import NapkinTesting
import Synchronization
import Testing

let arguments = Array(CommandLine.arguments.dropFirst())

func found(_ name: String) -> Case {
  guard let found = Case.all.first(where: { $0.name == name }) else { fatalError("There is no case \(name).") }
  return found
}

/// Prints a row of cells at once, as the process may crash after it.
func row(_ cells: Any...) {
  FileHandle.standardOutput.write(Data((cells.map { "\($0)" }.joined(separator: "\t") + "\n").utf8))
}

func firstLine(_ text: String?) -> String { text?.split(whereSeparator: \.isNewline).first.map(String.init) ?? "" }

func explore(_ subject: Case, seed: UInt64, executions: Int, strategy: String?) async {
  let strategies: [Explorer.Strategy] = [.guided, .random, .surw, .pct(depth: 3), .pos]
  let chosen = strategy.map { name in strategies.first { $0.description.hasPrefix(name) }! } ?? .portfolio
  // The sentence is that of the first seed; the others say how long it takes.
  let shrinks = Case.Version.current == .after || (seed == 0 && strategy == nil)
  let explorer = Explorer(executions: executions, strategy: chosen, seed: seed, shrinks: shrinks)
  let exploration = await explorer.run(subject.body)
  guard let failure = exploration.failure else {
    row("silent", exploration.executions, exploration.warnings.map(firstLine).joined(separator: " "))
    return
  }
  let pair = failure.decisivePair.map { "\($0)" }
  row("failure", failure.execution, firstLine(pair), firstLine(failure.messages.first))
}

/// Runs the body on the thread pool; a run that has not ended after two seconds hangs.
func onThreads(_ subject: Case, runs: Int, seconds: Double) async {
  var (failures, hangs, first) = (0, 0, "")
  let end = Date(timeIntervalSinceNow: seconds)
  var run = 0
  while run < runs, hangs < 3, Date() < end {
    run += 1
    guard let sentence = await outcome(of: subject.body) else { continue }
    failures += 1
    if sentence == hang { hangs += 1 }
    if first.isEmpty { first = firstLine(sentence) }
    // The next run may crash the process.
    if failures == 1 { row("first", run, first) }
  }
  row("threads", run, failures, first)
}

let hang = "it hangs"

/// The error of a body, or that it hangs.
func outcome(of body: @escaping @Sendable () async throws -> Void) async -> String? {
  await withCheckedContinuation { continuation in
    let waiting = Mutex<CheckedContinuation<String?, Never>?>(continuation)
    let ended: @Sendable (String?) -> Void = { [waiting = Shared(waiting)] sentence in
      waiting.value.withLock { $0.take() }?.resume(returning: sentence)
    }
    Task.detached {
      do { try await body() } catch { return ended("\(error)") }
      ended(nil)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) { ended(hang) }
  }
}

/// A mutex that closures share.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

switch arguments.first {
case "--testing-library":
  await Testing.__swiftPMEntryPoint() as Never
case "list":
  for one in Case.all {
    row(one.name, one.kind, one.subject, one.place, one.decides.joined(separator: " "))
  }
case "threads":
  await onThreads(
    found(arguments[1]), runs: Int(arguments[3])!, seconds: Double(arguments[4])!)
case "report":
  let subject = found(arguments[1])
  let explorer = Explorer(executions: 2_000, strategy: .portfolio, seed: UInt64(arguments[2])!)
  print(await explorer.run(subject.body).failure?.report ?? "silent")
case .some:
  await explore(
    found(arguments[1]), seed: UInt64(arguments[2])!, executions: Int(arguments[3])!,
    strategy: arguments.count > 4 ? arguments[4] : nil)
case nil:
  print("usage: field list | before|after CASE SEED EXECUTIONS [STRATEGY] | threads CASE VERSION RUNS SECONDS")
}
