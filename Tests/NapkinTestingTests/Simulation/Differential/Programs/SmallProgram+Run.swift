// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension SmallProgram {
  /// Runs the program with tasks and actors, and returns the letters in the order in which they were written.
  ///
  /// On threads, each task spins before an operation, a number of times drawn anew from `spins`, so that the tasks meet in
  /// different ways.
  func run(spins: Range<Int>? = nil, isSplit: Bool = false) async -> String {
    let run = Run(self, spins: spins, isSplit: isSplit)
    // To await its value would raise its priority.
    await withCheckedContinuation { continuation in
      Task.detached(priority: .low) {
        await run.perform(0)
        await run.awaitAll()
        continuation.resume()
      }
    }
    return run.journal.text
  }

  private final class Run: Sendable {
    let journal = Steps()
    private let latch = Latch()
    private let program: SmallProgram
    private let spins: Range<Int>?
    private let isSplit: Bool
    private let actors: [Writer]
    private let started: Mutex<[Task<Void, Never>?]>
    private let others = Mutex<[Task<Void, Never>]>([])

    init(_ program: SmallProgram, spins: Range<Int>?, isSplit: Bool) {
      self.program = program
      self.spins = spins
      self.isSplit = isSplit
      actors = [Writer(journal), Writer(journal)]
      started = Mutex(program.tasks.map { _ in nil })
    }

    func perform(_ task: Int) async {
      var isSuspensionNeeded = false
      for operation in program.tasks[task] {
        // At most one operation that another task can see lies between two suspensions of a whole step.
        if isSuspensionNeeded, !isSplit { await Task.yield() }
        isSuspensionNeeded = !operation.suspends
        spin()
        switch operation {
        case .record(let letter): journal.take("\(letter)")
        case .hop(let place, let letter): await hop(to: place, letter)
        case .start(let child): set(Task(priority: priority(of: child)) { await self.perform(child) }, at: child)
        case .startImmediately(let child):
          set(Task.immediate(priority: priority(of: child)) { await self.perform(child) }, at: child)
        case .startOn(let place, let letter): others.withLock { $0.append(start(on: place, letter)) }
        case .startFrom(let place, let letter): await start(from: place, letter) {}
        case .startBoth(let place, let letter, let child):
          await start(from: place, letter) {
            self.set(Task.detached(priority: self.priority(of: child)) { await self.perform(child) }, at: child)
          }
        case .wait(let child): await started.withLock { $0[child] }?.value
        case .sleep(let milliseconds):
          // On threads a short one, which other tasks take about as long as.
          let duration: Duration = spins == nil ? .milliseconds(milliseconds) : .microseconds(milliseconds)
          try? await Task.sleep(for: duration)
        case .open: latch.open()
        case .pass: await latch.pass()
        }
      }
    }

    func awaitAll() async {
      for task in program.tasks.indices.dropFirst() { await started.withLock { $0[task] }?.value }
      while let task = others.withLock({ $0.popLast() }) { await task.value }
    }

    private func priority(of task: Int) -> TaskPriority { program.isUrgent[task] ? .high : .low }

    private func set(_ task: Task<Void, Never>, at index: Int) { started.withLock { $0[index] = task } }

    private func spin() {
      guard let spins else { return }
      for _ in 0..<Int.random(in: spins) { _ = journal.text }
    }

    private func hop(to place: Place, _ letter: Character) async {
      switch place {
      case .a, .b: await actors[place.rawValue].write(letter)
      case .main: await MainActor.run { journal.take("\(letter)") }
      case .global: await writeOnBoard(letter)
      }
    }

    @Board private func writeOnBoard(_ letter: Character) { journal.take("\(letter)") }

    private func start(on place: Place, _ letter: Character) -> Task<Void, Never> {
      let journal = journal
      return place == .main
        ? Task { @MainActor in journal.take("\(letter)") } : Task { @Board in journal.take("\(letter)") }
    }

    private func start(from place: Place, _ letter: Character, then next: @Sendable () -> Void) async {
      let task =
        place == .global
        ? await startFromBoard(letter, next) : await actors[place.rawValue].startWriting(letter, next)
      others.withLock { $0.append(task) }
    }

    @Board private func startFromBoard(_ letter: Character, _ next: @Sendable () -> Void) -> Task<Void, Never> {
      defer { next() }
      return Task { journal.take("\(letter)") }
    }
  }
}

/// A latch at which one task waits, with a continuation, until another one opens it.
private final class Latch: Sendable {
  private enum State {
    case closed(CheckedContinuation<Void, Never>?)
    case open
  }

  private let state = Mutex(State.closed(nil))

  func open() {
    let waiting = state.withLock { state in
      defer { state = .open }
      guard case .closed(let continuation) = state else { return nil as CheckedContinuation<Void, Never>? }
      return continuation
    }
    waiting?.resume()
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if case .open = state { return true }
        state = .closed(continuation)
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}

private actor Writer {
  private let journal: Steps
  init(_ journal: Steps) { self.journal = journal }

  func write(_ letter: Character) { journal.take("\(letter)") }
  func startWriting(_ letter: Character, _ next: @Sendable () -> Void) -> Task<Void, Never> {
    defer { next() }
    return Task { self.write(letter) }
  }
}

@globalActor private actor Board {
  static let shared = Board()
}
