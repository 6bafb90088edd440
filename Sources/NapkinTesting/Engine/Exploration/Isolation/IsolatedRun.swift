// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// One exploration whose executions run in processes of their own, so that one that ends its process is a failure like any
/// other, and so that all processors are used.
///
/// The executions are dealt out in blocks, and strategies begin each block anew. So it does not matter which process runs which
/// block, nor how many there are.
struct IsolatedRun: Sendable {
  private let context: SearchContext
  private let jobs: Int
  private let pool: WorkerPool

  /// How many of the executions that are left a process runs at a time.
  ///
  /// Many of them at first, since a search that learns begins each block anew, and few at the end, so that the processes
  /// end together. The blocks depend on the number of executions alone, never on the number of processes.
  private static func blockSize(of left: Int) -> Int { max(25, min(left / 16, 1_000)) }

  /// - Parameters:
  ///   - context: The exploration, with the settings of the environment.
  ///   - task: The exploration as a worker process finds it.
  init(_ context: SearchContext, _ task: WorkerTask) {
    self.context = context
    jobs = max(1, context.jobs)
    pool = WorkerPool(task)
  }

  /// Explores; nil if no process can be started that comes to the exploration.
  func run() async -> Exploration? {
    let plan: SearchContext.Plan
    do throws(Diagnostic) { plan = try context.plan() } catch { return .failed(error, seed: context.explorer.seed) }
    let stopwatch = Stopwatch()
    guard await pool.isReachable() else { return nil }
    let blocks = Blocks(context, end: plan.executions)
    await withTaskGroup { group in
      for _ in 0..<(context.explorer.strategy.isExhaustive ? 1 : jobs) {
        group.addTask { await self.work(on: blocks, stopwatch) }
      }
    }
    let (tally, processWarnings) = blocks.result()
    let exploration = await tally.result(
      of: context, isExhausted: blocks.last?.isExhausted ?? false, processWarnings: processWarnings,
      since: stopwatch, replay: replay)
    await pool.stop()
    return exploration
  }

  private func work(on blocks: Blocks, _ stopwatch: Stopwatch) async {
    while !Task.isCancelled || blocks.last == nil, let block = blocks.takeBlock() {
      if let budget = context.timeBudget ?? context.explorer.time, block.lowerBound > 0, stopwatch.elapsed >= budget {
        return
      }
      await run(block, of: blocks)
    }
  }

  /// Runs a block; after an execution that ended its process, the executions before it.
  private func run(_ block: Range<Int>, of blocks: Blocks) async {
    var ranges = [block]
    while let range = ranges.popLast(), !range.isEmpty {
      guard let worker = await pool.take() else {
        return blocks.add(Self.part(of: .notStarted), from: range.lowerBound, of: block)
      }
      let reply: WorkerProcess.Reply<Search.Part> = await worker.ask(command(range))
      switch reply {
      case .answer(let part):
        await pool.give(worker)
        blocks.add(part, from: range.lowerBound, of: block)
      case .ended(let ending):
        await pool.forget()
        let index = ending.report.map { context.shard.position(of: $0.execution) } ?? range.lowerBound
        guard range.contains(index) else { continue }
        blocks.add(Self.part(of: ending), from: index, of: block)
        ranges.append(range.lowerBound..<index)
      }
    }
  }

  /// The one execution that ended its process.
  private static func part(of ending: WorkerEnding) -> Search.Part {
    Search.Part(outcomes: [ending.outcome], isExhausted: false, processWarnings: [])
  }

  private func command(_ range: Range<Int>) -> Worker.Command { .search(range, token: context.explorer.strategy.token) }

  /// Runs the choices of an execution again, in a process that it may end.
  private func replay(_ request: ReplayRequest) async -> ExecutionOutcome {
    let stopwatch = Stopwatch()
    guard let worker = await pool.take() else { return WorkerEnding.notStarted.outcome }
    let reply: WorkerProcess.Reply<ExecutionOutcome> = await worker.ask(Worker.Command.replay(request))
    switch reply {
    case .answer(let outcome):
      await pool.give(worker)
      return outcome
    case .ended(let ending):
      await pool.forget()
      var outcome = ending.outcome
      outcome.duration = stopwatch.elapsed
      return outcome
    }
  }

  /// The blocks that are left, and the results of the blocks that were run.
  private final class Blocks: Sendable {
    private let context: SearchContext
    private let end: Int
    private let state = Mutex(State())

    private struct State {
      var next = 0
      /// No block that begins behind it is needed: an execution before it has failed.
      var lowestFailure = Int.max
      var parts: [(from: Int, part: Search.Part)] = []
    }

    init(_ context: SearchContext, end: Int) {
      self.context = context
      self.end = end
    }

    func takeBlock() -> Range<Int>? {
      state.withLock { state in
        guard state.next < min(end, state.lowestFailure) else { return nil }
        let start = state.next
        let left = end - start
        state.next =
          start + (context.explorer.strategy.isExhaustive ? left : min(IsolatedRun.blockSize(of: left), left))
        return start..<state.next
      }
    }

    func add(_ part: Search.Part, from index: Int, of block: Range<Int>) {
      state.withLock { state in
        state.parts.append((index, part))
        if part.outcomes.contains(where: { !$0.diagnostics.isEmpty && $0.rejection == nil }) {
          state.lowestFailure = min(state.lowestFailure, block.lowerBound)
        }
      }
    }

    var last: Search.Part? { state.withLock { $0.parts.last?.part } }

    /// Counts the outcomes in order, up to the failure that ends the search; with one process's warnings.
    func result() -> (SearchTally, [Diagnostic]) {
      var tally = SearchTally()
      let parts = state.withLock { $0.parts.sorted { $0.from < $1.from } }
      for (from, part) in parts {
        for (offset, outcome) in part.outcomes.enumerated() {
          let number = context.shard.number(at: from + offset)
          if tally.add(outcome, number: number) { return (tally, part.processWarnings) }
        }
      }
      return (tally, parts.first?.part.processWarnings ?? [])
    }
  }
}
