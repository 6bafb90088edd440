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

  override var isExhausted: Bool { isDone }

  init(preemptions: Int?) { self.preemptions = preemptions }

  override func begin(seed: SplitMix64) -> Bool {
    if hasBegun { backtrack() }
    hasBegun = true
    cursor = 0
    used = 0
    return !isDone
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    let goesOn = ready.rank(ofTask: running)
    if cursor == path.count {
      var ranks = Array(0..<ready.count)
      if let goesOn, let preemptions, used >= preemptions { ranks = [goesOn] }
      let first = ranks.removeFirst()
      path.append(Branch(rank: first, untried: ranks))
    }
    let rank = min(path[cursor].rank, ready.count - 1)
    cursor += 1
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
