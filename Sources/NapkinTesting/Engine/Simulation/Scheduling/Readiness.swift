// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// A hash of the jobs that have been ready so far, before each step: two executions with the same choices have the same
/// hashes, unless the body depends on something besides its choices.
///
/// Of each ready job it has the task, the type of its target and which of them have one target, but no address, since that
/// differs from one execution to the next. Of each new task it has the code that creates it, the code that it runs, its name,
/// and on request the numbers and texts that its closure has captured.
final class Readiness {
  private let comparesValues: Bool

  /// The hash at this point of the execution.
  @exclusivity(unchecked) private(set) var hash: UInt64 = 0

  /// The hashes before each step.
  @exclusivity(unchecked) private(set) var steps: [UInt64] = []

  // The most jobs that are looked at; of further ones the number counts.
  private static let most = 64

  init(comparesValues: Bool = false) { self.comparesValues = comparesValues }

  /// Forgets the last execution.
  func removeAll() {
    hash = 0
    steps.removeAll(keepingCapacity: true)
  }

  /// Takes note of the jobs that are ready before a step.
  func look(at ready: borrowing ReadyQueue, main: UInt) {
    add(UInt64(ready.count))
    for rank in 0..<min(ready.count, Self.most) {
      let target = ready[rank].target
      add(UInt64(ready[rank].task) << 8 | UInt64(ready[rank].arrival.rawValue))
      guard target != 0 else { continue }
      var first = 0
      while ready[first].target != target { first += 1 }
      add(UInt64(first) << 1 | (target == main ? 1 : 0))
      if first == rank, target != main { addType(ofObjectAt: target) }
    }
    steps.append(hash)
  }

  /// Takes note of a task that has come to the execution.
  func created(_ task: Int) {
    add(UInt64(task))
    add(napkin_creator())
    if let name = napkin_created_name() { for byte in String(cString: name).utf8 { add(UInt64(byte)) } }
    if let closure = napkin_created_closure() {
      add(CapturedValues(ofContextAt: closure, comparesValues: comparesValues).hash)
    }
  }

  private func addType(ofObjectAt identity: UInt) {
    guard let type = SchedulerLog.metatype(ofObjectAt: identity) else { return }
    add(UInt64(UInt(bitPattern: ObjectIdentifier(type))))
  }

  private func add(_ word: UInt64) {
    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }
}
