// SPDX-License-Identifier: Apache-2.0

// What threads and explorations show of programs around calls of the concurrency runtime; `run` compares them.
//   calls list                             the names
//   calls allowed NAME…                    the orders that Swift allows, and those of them that no stop at a call leads to
//   calls threads SEED RUNS NAME…          each program on threads: the outcomes with their numbers
//   calls explore SEED EXECUTIONS NAME…    as an exploration: the outcomes at which it fails, with the execution in which it does
//   calls proof EXECUTIONS NAME…           by an exhaustive search
//   calls find SEED OUTCOME NAME           a token of the execution whose outcome that is, of 40,000
//   calls replay TOKEN OUTCOME NAME        that execution again
//   calls sounds                           the programs with locks held over calls
//   calls sound SEED EXECUTIONS NAME…      these: none fails or hangs
//   calls cost EXECUTIONS                  microseconds of a processor of a stop, beside two threads that wake each other
import Foundation
@_spi(Benchmarks) import NapkinTesting
import Synchronization

let arguments = Array(CommandLine.arguments.dropFirst())

/// Prints a row of cells at once, as the process may end after it.
func row(_ cells: Any...) {
  FileHandle.standardOutput.write(Data((cells.map { "\($0)" }.joined(separator: "\t") + "\n").utf8))
}

func programs(_ names: ArraySlice<String>) -> [Program] {
  let all = Dictionary(uniqueKeysWithValues: Program.all.map { ($0.name, $0) })
  return names.map { name in
    guard let found = all[name] else { fatalError("There is no program \(name).") }
    return found
  }
}

/// Which outcomes there were, how often, and first in which execution.
final class Outcomes: Sendable {
  private let counts = Mutex<(total: Int, of: [String: (count: Int, first: Int)])>((0, [:]))

  func insert(_ outcome: String) {
    counts.withLock { state in
      state.total += 1
      state.of[outcome, default: (0, state.total)].count += 1
    }
  }

  var names: [String] { counts.withLock { $0.of.keys.sorted() } }

  /// Each outcome with a number, by name.
  func cells(_ number: ((count: Int, first: Int)) -> Int) -> String {
    counts.withLock { $0.of.sorted { $0.key < $1.key }.map { "\($0.key):\(number($0.value))" }.joined(separator: " ") }
  }
}

/// Microseconds of a processor in which a thread wakes another one that wakes it.
func thereAndBack(_ times: Int) -> Double {
  let (there, back) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  Thread.detachNewThread {
    for _ in 0..<times {
      there.wait()
      back.signal()
    }
  }
  let start = clock()
  for _ in 0..<times {
    there.signal()
    back.wait()
  }
  return Double(clock() - start) / Double(times)
}

struct Reached: Error {}

/// An exploration that fails where a program has an outcome.
func search(_ explorer: Explorer, _ program: Program, for outcome: String) async -> Exploration {
  await explorer.run {
    if await program.run() == outcome { throw Reached() }
  }
}

func said(_ result: Exploration) -> String {
  let failure = result.failure.map { "failure \($0.messages.joined(separator: " "))" }
  return ([failure] + result.warnings.map { .some($0) }).compactMap {
    $0?.replacing("\n", with: " ").replacing("\t", with: " ")
  }
  .joined(separator: " | ")
}

switch arguments.first {
case "list":
  for program in Program.all { row(program.name, program.call.isPoint ? "point" : "other") }
case "allowed":
  for program in programs(arguments[1...]) {
    let (allowed, apart) = (program.allowed, program.allowed.filter(program.call.isApart))
    row(program.name, allowed.sorted().joined(separator: " "), apart.sorted().joined(separator: " "))
  }
case "threads":
  Jitter.start(seed: UInt64(arguments[1])!)
  for program in programs(arguments[3...]) {
    row("begin", program.name)
    let outcomes = Outcomes()
    for _ in 0..<Int(arguments[2])! { outcomes.insert(await Task.detached { await program.run() }.value) }
    row(program.name, outcomes.cells(\.count))
  }
case "explore":
  let (seed, executions) = (UInt64(arguments[1])!, Int(arguments[2])!)
  for program in programs(arguments[3...]) {
    row("begin", program.name)
    let outcomes = Outcomes()
    let explorer = Explorer(executions: executions, seed: seed, shrinks: false)
    let result = await explorer.run { outcomes.insert(await program.run()) }
    // An execution that counts for nothing has an outcome, too: no exploration fails by it.
    var cells: [String] = []
    for outcome in outcomes.names {
      let failure = await search(explorer, program, for: outcome).failure
      if let failure { cells.append("\(outcome):\(failure.execution)") }
    }
    row(
      program.name, cells.joined(separator: " "), result.executions, result.isExhaustive, said(result),
      "\(result)".replacing("\n", with: "; "))
  }
case "proof":
  for program in programs(arguments[2...]) {
    row("begin", program.name)
    let outcomes = Outcomes()
    let result = await Explorer(executions: Int(arguments[1])!, strategy: .exhaustive()).run {
      outcomes.insert(await program.run())
    }
    row(
      program.name, outcomes.cells(\.first), result.executions, result.isExhaustive, said(result),
      "\(result)".replacing("\n", with: "; "))
  }
case "find":
  let program = programs(arguments[3...])[0]
  let result = await search(Explorer(executions: 40_000, seed: UInt64(arguments[1])!), program, for: arguments[2])
  if let failure = result.failure {
    row("found", failure.execution, failure.schedule, failure.deviations, failure.decisivePair.map { "\($0)" } ?? "-")
  } else {
    row("silent", said(result))
  }
case "replay":
  let program = programs(arguments[3...])[0]
  let result = await search(Explorer(strategy: .replay(arguments[1])), program, for: arguments[2])
  row(result.failure == nil ? "passes" : "fails", said(result))
case "sounds":
  for (name, _) in Sound.all { row(name) }
case "sound":
  for (name, body) in Sound.all where arguments.count == 3 || arguments.contains(name) {
    row("begin", name)
    let clock = ContinuousClock()
    let start = clock.now
    let result = await Explorer(executions: Int(arguments[2])!, seed: UInt64(arguments[1])!).run { try await body() }
    row(
      name, result.executions, result.failure == nil ? "silent" : "fails", said(result), start.duration(to: clock.now))
  }
case "cost":
  // The strategies of the default by themselves, which stop no step, alternate with the default, of which each fifth execution does.
  let body: @Sendable () async -> Void = { for _ in 0..<20 { await Task.detached {}.value } }
  let members: [Explorer.Strategy] = [.pos, .guided, .surw, .guided, .random, .guided]
  var (whole, stopped, stops) = (0.0, 0.0, 0)
  func timed(_ strategy: Explorer.Strategy, _ executions: Int, _ seed: Int) async -> (time: Double, stops: Int) {
    let start = clock()
    let result = await Explorer(executions: executions, strategy: strategy, seed: UInt64(seed)).run(body)
    return (Double(clock() - start), result.preemptions ?? 0)
  }
  for seed in 0..<Int(arguments[1])! / 3_000 {
    for member in members { whole += await timed(member, 500, seed).time }
    let all = await timed(.portfolio, 3_000, seed)
    (stopped, stops) = (stopped + all.time, stops + all.stops)
  }
  row("stops", stops, "µs each", (stopped - whole) / Double(stops), "there and back", thereAndBack(50_000))
default:
  row("usage: calls list | allowed | threads | explore | proof | find | replay | sound | cost; see main.swift")
}
