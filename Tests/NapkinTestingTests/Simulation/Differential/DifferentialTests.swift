// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// The engine against the runtime, over random small programs: the orders that an exhaustive search explores are those
/// that the runtime's rules allow, and those that threads show are among them.
///
/// `DIFFERENTIAL_PROGRAMS=10000` runs that number of programs, from seed 0 on. `Fixtures/SplitSteps` runs them with split steps.
@Suite(.serialized) struct DifferentialTests {
  private static let programs =
    ProcessInfo.processInfo.environment["DIFFERENTIAL_PROGRAMS"].flatMap { UInt64($0) } ?? 40
  private static let schedules = 3_000
  private static let runs = 30
  private static let spins = [0..<20, 0..<300, 0..<3_000]

  /// The orders that the runtime's rules allow, for each seed.
  private static let allowed = (0..<programs).map { SmallProgram(seed: $0).allowedOrders }

  private func explored(
    _ program: SmallProgram, _ strategy: Explorer.Strategy, executions: Int
  ) async -> (orders: Set<String>, result: Exploration) {
    let orders = Mutex<Set<String>>([])
    let result = await Explorer(executions: executions, strategy: strategy, shrinks: false).run {
      let order = await program.run()
      orders.withLock { _ = $0.insert(order) }
    }
    return (orders.withLock { $0 }, result)
  }

  /// The result of the exhaustive search of a program; the second test that asks has it from the first.
  private func searched(_ program: SmallProgram, seed: UInt64) async -> (orders: Set<String>, result: Exploration) {
    if let known = Self.known.withLock({ $0.removeValue(forKey: seed) }) { return known }
    let found = await explored(program, .exhaustive(), executions: Self.schedules)
    if program.sharesOnlyActors { Self.known.withLock { $0[seed] = found } }
    return found
  }

  private static let known = Mutex<[UInt64: (orders: Set<String>, result: Exploration)]>([:])

  @Test func `an exhaustive search explores what the runtime allows; threads show no more`() async {
    var (exhausted, orders, onThreads) = (0, 0, 0)
    for seed in 0..<Self.programs {
      let program = SmallProgram(seed: seed)
      let allowed = Self.allowed[Int(seed)]
      let (explored, result) = await searched(program, seed: seed)
      #expect(result.failure == nil, "program \(seed):\n\(program)")
      #expect(explored.isSubset(of: allowed), "program \(seed) is explored in an order that is excluded:\n\(program)")
      if result.isExhaustive {
        exhausted += 1
        #expect(explored == allowed, "program \(seed) has an order that is not explored:\n\(program)")
      }
      var seen: Set<String> = []
      for run in 0..<Self.runs { seen.insert(await program.run(spins: Self.spins[run % Self.spins.count])) }
      #expect(seen.isSubset(of: allowed), "program \(seed) shows an order that is excluded:\n\(program)")
      orders += allowed.count
      onThreads += seen.count
    }
    print("\(Self.programs) programs, \(exhausted) exhausted: \(orders) orders allowed, \(onThreads) seen on threads")
    #expect(exhausted > Self.programs / 2)
  }

  @Test func `the portfolio explores nothing that the runtime excludes`() async {
    for seed in 0..<Self.programs {
      let program = SmallProgram(seed: seed)
      let (explored, result) = await explored(program, .portfolio, executions: 50)
      #expect(result.failure == nil, "program \(seed):\n\(program)")
      #expect(explored.isSubset(of: Self.allowed[Int(seed)]), "program \(seed):\n\(program)")
    }
  }

  @Test func `a search that leaves out equal schedules comes to the same results`() async {
    var (programs, all, run) = (0, 0, 0)
    for seed in 0..<Self.programs {
      let program = SmallProgram(seed: seed)
      guard program.sharesOnlyActors else { continue }
      let (orders, every) = await searched(program, seed: seed)
      guard every.isExhaustive else { continue }
      let strategy = Explorer.Strategy.exhaustive(assuming: .tasksShareOnlyActors)
      let (fewer, some) = await explored(program, strategy, executions: Self.schedules)
      #expect(some.isExhaustive)
      #expect(Set(fewer.map(program.byPlace)) == Set(orders.map(program.byPlace)), "program \(seed):\n\(program)")
      programs += 1
      all += every.executions
      run += some.executions
    }
    print("\(programs) programs that share only actors: \(all) schedules, of which \(run) were run")
    #expect(programs > 0 && run < all)
  }
}
