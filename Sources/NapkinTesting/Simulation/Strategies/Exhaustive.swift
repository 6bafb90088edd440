// SPDX-License-Identifier: Apache-2.0

/// Every schedule, one after the other, depth first; with a bound, every schedule of at most that many preemptions.
///
/// A preemption is a switch away from a task that could have gone on. Musuvathi and Qadeer, "Iterative context bounding
/// for systematic testing of multithreaded programs" (PLDI 2007): most bugs need two or fewer.
///
/// No schedule is left out for being equal to another one, as sleep sets would (Godefroid, 1996): they need to know
/// which jobs are independent, and two jobs on different actors may still share a lock, a class or a task-local's object.
final class ExhaustiveStrategy: SchedulingStrategy {
  private let preemptions: Int?

  // The path to the execution at hand: what was picked, and which ranks are still to be tried at that choice.
  private struct Branch {
    var rank: Int
    var untried: [Int]
  }
  private var path: [Branch] = []
  private var cursor = 0
  private var used = 0
  private var hasBegun = false
  private var isDone = false

  // How often time has passed in this execution while a task was ready. A task that polls with a sleep would go on for ever
  // if it always did, so after `mostPassed` times it does not, and not every schedule is run.
  private var passed = 0
  private var isCut = false
  private static let mostPassed = 4

  override var isExhausted: Bool { isDone && !isCut }
  override var letsTimePass: Bool { true }

  init(preemptions: Int?) { self.preemptions = preemptions }

  override func begin(seed: SplitMix64) -> Bool {
    if hasBegun { backtrack() }
    hasBegun = true
    cursor = 0
    used = 0
    passed = 0
    return !isDone
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    let goesOn = ready.rank(ofTask: running)
    if cursor == path.count {
      // Where one job goes before another, both picks are one.
      var ranks = (0..<ready.count).filter { ready.first(insteadOf: $0) == $0 }
      if let goesOn, let preemptions, used >= preemptions { ranks = [goesOn] }
      if ready.hasTimer {
        if passed < Self.mostPassed { ranks.append(ready.count) } else { isCut = true }
      }
      let first = ranks.removeFirst()
      path.append(Branch(rank: first, untried: ranks))
    }
    let rank = min(path[cursor].rank, ready.hasTimer ? ready.count : ready.count - 1)
    cursor += 1
    if rank == ready.count {
      passed += 1
      return rank
    }
    if let goesOn, goesOn != rank { used += 1 }
    return rank
  }

  private func backtrack() {
    // Choices behind the cursor belong to a longer execution with the same beginning: this body is not deterministic.
    path.removeLast(path.count - cursor)
    while var last = path.popLast() {
      guard !last.untried.isEmpty else { continue }
      last.rank = last.untried.removeFirst()
      path.append(last)
      return
    }
    isDone = true
  }
}
