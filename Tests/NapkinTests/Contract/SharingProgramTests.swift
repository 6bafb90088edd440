// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting
import Synchronization
import Testing

/// Random graphs of shared properties, asked for by tasks, by threads, and in circles.
@Suite struct SharingProgramTests {
  @Test func `D1 D2 every property is made once and given to all, in whatever order tasks ask`() async {
    await explore(executions: 300) {
      let program = SharingProgram(Execution.draw(SharingProgram.Plan.acyclic(properties: 2...10), "properties"))
      let index = Gen<Int>.int(in: 0...(program.plan.needs.count - 1))
      let asks = Execution.draw(.array(of: .array(of: index, count: 1...5), count: 3), "asks")
      let tasks = asks.map { indices in
        Task {
          var answers: [(Int, ObjectIdentifier?)] = []
          for index in indices {
            answers.append((index, program.ask(index)))
            await Task.yield()
          }
          return answers
        }
      }
      var answers: [(index: Int, id: ObjectIdentifier?)] = []
      for task in tasks { answers += await task.value }
      #expect(program.mistakes(in: answers) == [], "D1, D2")
    }
  }

  // The order of threads cannot be controlled, so the factories are slow, and all threads begin at the same moment.
  @Test func `D1 D2 every property is made once and given to all, on however many threads`() async {
    await explore(executions: 150, strategy: .parallel) {
      let plan = Execution.draw(SharingProgram.Plan.acyclic(properties: 2...8), "properties")
      let program = SharingProgram(plan, ends: { for _ in 0..<20 { _ = Thread.current.name } })
      let answers = Mutex<[(index: Int, id: ObjectIdentifier?)]>([])
      await onThreads(
        (0..<4).map { thread in
          {
            // The last needs most, so half of the threads begin there.
            let indices = plan.needs.indices.map { thread % 2 == 0 ? plan.needs.count - 1 - $0 : $0 }
            let own = indices.map { (index: $0, id: program.ask($0)) }
            answers.withLock { $0 += own }
          }
        })
      #expect(program.mistakes(in: answers.withLock { $0 }) == [], "D1, D2")
    }
  }

  /// Takes the reports of circles, and never lets the thread that closed one go on: it would stop the process.
  private final class Catcher: LifecycleObserver {
    private let heard = Mutex<[String]>([])
    private let moment = Moment()
    private let never = Moment()

    func lifecycle(_ event: LifecycleEvent) {
      guard case .misuse(let misuse) = event, misuse.rule == "D2" else { return }
      heard.withLock { $0.append(misuse.message) }
      moment.happens()
      never.awaited(milliseconds: .max)
    }

    func nothingHeard() { moment.happens() }

    func next() -> String? {
      guard moment.awaited() else { return "nothing has happened" }
      return heard.withLock { $0.popLast() }
    }
  }

  /// Any property may need any other here, so most of these graphs have circles.
  private static func plan(_ random: inout SplitMix64) -> SharingProgram.Plan {
    let count = 2 + Int(random.next(below: 7))
    let needs = (0..<count).map { _ in
      (0..<random.next(below: 3)).map { _ in Int(random.next(below: UInt64(count))) }
    }
    let kinds = (0..<3).map { _ in Int(random.next(below: 4)) }
    return SharingProgram.Plan(scopes: 1 + Int(random.next(below: 3)), kinds: kinds, needs: needs)
  }

  private static func path(_ circle: [Int]) -> String { circle.map { "Scope.p\($0)" }.joined(separator: " → ") }

  #if os(macOS) || os(Linux)
  // 60 graphs from seed 1; 28 of them have a circle that is reached from the first property.
  @Test func `D2 a random cycle is reported by its path, and nothing else is`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let catcher = Catcher()
      LifecycleObservation.add(catcher)
      var (random, circles) = (SplitMix64(seed: 1), 0)
      for graph in 0..<60 {
        let program = SharingProgram(Self.plan(&random), sharesNames: false)
        Thread {
          program.ask(0)
          catcher.nothingHeard()
        }.start()
        let expected = program.circle(from: 0).map { "Scope.p\($0[0]) needs itself: \(Self.path($0)). Each of these" }
        let heard = catcher.next()
        if heard?.hasPrefix(expected ?? "nothing") != (expected == nil ? nil : true) {
          FileHandle.standardError.write(
            Data("graph \(graph), \(program.plan): \(heard ?? "silence") instead of \(expected ?? "silence")\n".utf8))
          exit(EXIT_FAILURE)
        }
        if expected != nil { circles += 1 }
      }
      FileHandle.standardError.write(Data("\(circles) circles\n".utf8))
      exit(EXIT_SUCCESS)
    }
    #expect(result.text.contains("28 circles"))
  }
  #endif

  /// Blocks a number of threads until all of them have arrived; a thread that comes later passes.
  private final class Meeting: Sendable {
    private let missing: Mutex<Int>
    private let complete = Moment()
    private let count: Int

    init(of count: Int) {
      self.count = count
      missing = Mutex(count)
    }

    func arrive() {
      let missing = self.missing.withLock { missing in
        missing -= 1
        return missing
      }
      if missing == 0 { for _ in 1..<count { complete.happens() } }
      if missing > 0 { complete.awaited() }
    }
  }

  #if os(macOS) || os(Linux)
  // Each thread makes one of the cycle's instances before any of them asks for the next, so that none sees the cycle
  // alone. Which thread closes the cycle is undetermined; that one does, and the path, are not.
  @Test func `D2 a random cycle that threads close together is reported by a real path`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let catcher = Catcher()
      LifecycleObservation.add(catcher)
      var random = SplitMix64(seed: 2)
      for graph in 0..<40 {
        let count = 2 + Int(random.next(below: 4))
        let plan = SharingProgram.Plan(scopes: 1, kinds: [0, 2], needs: (0..<count).map { [($0 + 1) % count] })
        let meeting = Meeting(of: count)
        let program = SharingProgram(plan, sharesNames: false, begins: { meeting.arrive() })
        for start in 0..<count {
          Thread { program.ask(start) }.start()
        }
        let heard = catcher.next() ?? "silence"
        let rotations = (0..<count).map { start in Self.path((0...count).map { (start + $0) % count }) }
        if !rotations.contains(where: { heard.contains("needs itself: \($0). Each of these") }) {
          FileHandle.standardError.write(Data("graph \(graph), \(plan): \(heard)\n".utf8))
          exit(EXIT_FAILURE)
        }
      }
      FileHandle.standardError.write(Data("all reported\n".utf8))
      exit(EXIT_SUCCESS)
    }
    #expect(result.text.contains("all reported"))
  }
  #endif
}
