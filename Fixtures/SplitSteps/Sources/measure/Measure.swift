// SPDX-License-Identifier: Apache-2.0

import ClockLocks
import Corpus
import Foundation
import NapkinTesting
import Subjects

// What the compiler calls, and one of these that does nothing.
@_silgen_name("__tsan_read8") private func readCall(_ address: UnsafeMutableRawPointer)
@_silgen_name("__tsan_func_exit") private func emptyCall()

// measure find [seeds]          the executions to the first failure of each wrong program
// measure tokens [seeds] [name] a token of a failure of each wrong program, or of one, found with some seeds
// measure replay                the same tokens, read from standard input, each with the failure that it has here
// measure sound [number] [name] the sound programs, or one, and how many executions a second; fails where one fails
// measure accesses [times]      100,000 increments of a variable in an execution, that often; nothing is printed
// measure executions [times]    200 executions of two tasks on a mutex, that often; nothing is printed
// measure corpus [name]         the programs of the corpus, or one, a line each with the verdict
// measure losses                the numbers that two tasks count up, a line each: loses, race or passes
// measure speed                 two tasks on a mutex, what an access, a preemption and 100,000 objects cost
@main
struct Measure {
  // The main thread stays, since valgrind does not outlive its end.
  static func main() {
    Task {
      await run()
      exit(0)
    }
    RunLoop.main.run()
  }

  private static func run() async {
    let arguments = CommandLine.arguments.dropFirst()
    let number = arguments.dropFirst().first.flatMap { Int($0) }
    switch arguments.first {
    case "find": await find(seeds: number ?? 20)
    case "tokens": await tokens(seeds: number ?? 3, name: arguments.dropFirst(2).first)
    case "replay": await replay()
    case "sound": await sound(executions: number ?? 40_000, name: arguments.dropFirst(2).first)
    case "corpus": await corpus(name: arguments.dropFirst().first)
    case "losses": await losses()
    case "speed": await speed()
    case "accesses": await accesses(number ?? 1)
    case "executions": await executions(number ?? 1)
    default: print("usage: measure find|tokens|replay|sound|corpus|losses|accesses|executions|speed [number]")
    }
  }

  private static let all = Subject.wrong + Subject.wrongInThreads + Subject.races

  static func find(seeds: Int) async {
    for subject in all {
      var found: [Int] = []
      for seed in 1...UInt64(seeds) {
        let exploration = await Explorer(executions: 1_000, seed: seed, shrinks: false).run(subject.body)
        if let failure = exploration.failure { found.append(failure.execution) }
      }
      let mean = Double(found.reduce(0, +)) / Double(max(1, found.count))
      print("\(subject): found with \(found.count) of \(seeds) seeds, mean \(mean), worst \(found.max() ?? 0)")
    }
  }

  static func tokens(seeds: Int, name: String?) async {
    for subject in all where name == nil || subject.name == name {
      for seed in 1...UInt64(seeds) {
        for shrinks in [false, true] {
          guard let failure = await Explorer(seed: seed, shrinks: shrinks).run(subject.body).failure else { continue }
          print("\(subject)\t\(failure.schedule)\t\(words(failure))")
        }
      }
    }
  }

  static func replay() async {
    while let line = readLine() {
      let parts = line.split(separator: "\t")
      guard parts.count == 3, let subject = all.first(where: { $0.name == parts[0] }) else {
        continue
      }
      let exploration = await Explorer(strategy: .replay(String(parts[1])), shrinks: false).run(subject.body)
      let failure = exploration.failure
      // A failure that only the first execution of a process meets comes again in this one, and not a second time.
      let warnings = exploration.warnings.filter { !$0.hasPrefix("The body is not deterministic") }
        .joined().replacing("\n", with: " ")
      print("\(subject)\t\(failure?.schedule ?? "-")\t\(failure.map(words) ?? "passes")\(warnings)")
    }
  }

  private static func words(_ failure: Exploration.Failure) -> String {
    failure.messages.joined(separator: " ").replacing("\n", with: " ")
  }

  static func sound(executions: Int, name: String?) async {
    var isSound = true
    for subject in Subject.sound where name == nil || subject.name == name {
      let start = ContinuousClock.now
      let exploration = await Explorer(executions: executions, seed: 7, shrinks: false).run(subject.body)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let result = exploration.failure.map { "FAILED: \(words($0))" } ?? "no failure"
      isSound = isSound && exploration.failure == nil
      print(
        "\(subject): \(result) in \(exploration.executions), split at \(exploration.preemptions ?? 0) accesses, "
          + "\(Int(Double(exploration.executions) / seconds)) a second")
    }
    if !isSound { exit(1) }
  }

  static func corpus(name: String?) async {
    for program in Program.all where name == nil || program.description == name {
      let exploration = await Explorer(executions: 100, seed: 7, shrinks: false).run(program.body)
      var verdict = "passes"
      if let failure = exploration.failure {
        let isRace = failure.diagnostics.contains { $0.kind == .dataRace }
        verdict = isRace ? "race" : "FAILED: \(words(failure))"
        if name != nil { print(failure.messages.joined(separator: "\n")) }
      }
      let doubts = exploration.warnings.filter { $0.contains("No data race was looked for") }
      print("\(program)\t\(doubts.isEmpty ? verdict : "\(verdict), not looked for to the end")")
    }
  }

  static func losses() async {
    for loss in Loss.all {
      let exploration = await Explorer(executions: 100, seed: 7, shrinks: false).run {
        let lost = await loss.lost(of: 2)
        if lost != 0 { throw Lost(count: lost) }
      }
      let isRace = exploration.failure?.diagnostics.contains { $0.kind == .dataRace } ?? false
      print("\(loss)\t\(exploration.failure == nil ? "passes" : isRace ? "race" : "loses")")
    }
  }

  private struct Lost: Error { var count: Int }

  static func accesses(_ times: Int) async {
    _ = await Explorer(executions: 1, strategy: .fifo).run { Subject.increment(100_000 * times) }
  }

  static func executions(_ times: Int) async {
    _ = await Explorer(executions: 200 * times, strategy: .portfolio, seed: 7).run(Subject.twoTasks.body)
  }

  static func speed() async {
    let whole = await time(.fifo)
    let split = await time(.portfolio)
    let preemptions = Double(split.preemptions) / Double(split.executions)
    print("two tasks on a mutex: \(Int(1 / split.each)) executions a second, \(preemptions) preemptions in each")
    let each = (split.each - whole.each) / preemptions
    print("in whole steps: \(Int(1 / whole.each)); a preemption: \(each * 1e6) µs")
    // As often as it takes to find a time when the machine does little else.
    let bare = (0..<20).map { _ in bare_round_trip(2_000) }.min() ?? 0
    print(
      "two threads that hand over and back: \(bare / 1e3) µs, so a preemption takes \(each * 1e9 / bare) times that")
    let count = 1_000_000
    let outside = seconds { Subject.increment(count) }
    nonisolated(unsafe) var inside = 0.0
    _ = await Explorer(executions: 1, strategy: .fifo).run { inside = seconds { Subject.increment(count) } }
    nonisolated(unsafe) var call = (outside: 0.0, inside: 0.0, empty: 0.0)
    let calls = 10_000_000
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    call.outside = seconds { for _ in 0..<calls { readCall(memory) } }
    call.empty = seconds { for _ in 0..<calls { emptyCall() } }
    nonisolated(unsafe) let shared = memory
    _ = await Explorer(executions: 1, strategy: .fifo).run {
      call.inside = seconds { for _ in 0..<calls { readCall(shared) } }
    }
    print(
      "a call at an access: \(call.outside / Double(calls) * 1e9) ns outside of an execution, "
        + "\(call.inside / Double(calls) * 1e9) ns in one; an empty call: \(call.empty / Double(calls) * 1e9) ns")
    print(
      "an increment: \(outside / Double(count) * 1e9) ns outside of an execution, \(inside / Double(count) * 1e9) ns in one"
    )
    await objects()
  }

  /// What it costs to make objects, to write to each, and to give all back.
  private static func objects() async {
    let outside = seconds { Subject.fill(100_000) }
    nonisolated(unsafe) var inside = 0.0
    let memory = highestMemory()
    let exploration = await Explorer(executions: 1, strategy: .fifo).run { inside = seconds { Subject.fill(100_000) } }
    let more = Double(highestMemory() - memory) / 1024
    print(
      "100,000 objects: \(outside * 1e3) ms outside of an execution, \(inside * 1e3) ms and \(more) MB in one; "
        + (exploration.warnings.first { $0.contains("No data race was looked for") } ?? "all accesses were compared"))
  }

  /// The most memory that the process has had, in kilobytes.
  private static func highestMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }

  private static func time(_ strategy: Explorer.Strategy) async -> (each: Double, executions: Int, preemptions: Int) {
    var best = (each: Double.infinity, executions: 1, preemptions: 0)
    for _ in 0..<5 {
      let start = ContinuousClock.now
      let exploration = await Explorer(executions: 4_000, strategy: strategy, seed: 7).run(Subject.twoTasks.body)
      let each = (ContinuousClock.now - start) / .seconds(1) / Double(exploration.executions)
      if each < best.each { best = (each, exploration.executions, exploration.preemptions ?? 0) }
    }
    return best
  }

  /// How long it takes by a clock that no execution changes.
  private static func seconds(_ work: () -> Void) -> Double {
    var times = [timespec(), timespec()]
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &times[0])
    work()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &times[1])
    return Double(times[1].tv_sec - times[0].tv_sec) + Double(times[1].tv_nsec - times[0].tv_nsec) / 1e9
  }
}
