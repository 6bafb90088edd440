// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import NapkinTestingCRuntime
import Synchronization
import Testing

/// A counter with a description of its state.
private struct CounterModel: SequentialModel, CustomStringConvertible {
  enum Command: Sendable, CustomStringConvertible {
    case increment, read

    var description: String {
      switch self {
      case .increment: "increment()"
      case .read: "value"
      }
    }
  }

  var value = 0

  mutating func apply(_ command: Command) -> Int {
    if case .increment = command { value += 1 }
    return value
  }

  var description: String { "a counter at \(value)" }
}

private actor SoundCounter {
  private(set) var value = 0
  func increment() async -> Int {
    await Task.yield()
    value += 1
    return value
  }
}

/// Suspends between reading and writing, so two increments may become one.
private actor ReentrantCounter {
  private(set) var value = 0
  func increment() async -> Int {
    let old = value
    await Task.yield()
    value = old + 1
    return value
  }
}

/// A queue whose `take()` waits for an element.
private struct QueueModel: SequentialModel {
  enum Command: Sendable {
    case put(Int)
    case take
  }

  var elements: [Int] = []

  mutating func apply(_ command: Command) -> Int? {
    switch command {
    case .put(let element):
      elements.append(element)
      return nil
    case .take: return elements.isEmpty ? -1 : elements.removeFirst()
    }
  }
}

private actor WaitingQueue {
  private var elements: [Int] = []
  private var takers: [CheckedContinuation<Int, Never>] = []

  func put(_ element: Int) {
    if takers.isEmpty { elements.append(element) } else { takers.removeFirst().resume(returning: element) }
  }

  func take() async -> Int {
    if !elements.isEmpty { return elements.removeFirst() }
    return await withCheckedContinuation { takers.append($0) }
  }
}

@Suite struct CheckLinearizableTests {
  private func reentrant(_ commands: [[CounterModel.Command]]) async -> Exploration {
    await checkLinearizable(model: CounterModel(), commands: commands, strategy: .random, seed: 3) {
      ReentrantCounter()
    } perform: { counter, command in
      switch command {
      case .increment: await counter.increment()
      case .read: await counter.value
      }
    }
  }

  @Test func `a sound actor passes 1,000 executions`() async {
    let exploration = await checkLinearizable(
      model: CounterModel(), commands: [.increment, .read], calls: 1...8, callers: 3, seed: 1
    ) {
      SoundCounter()
    } perform: { counter, command in
      switch command {
      case .increment: await counter.increment()
      case .read: await counter.value
      }
    }
    #expect(exploration.executions == 1_000)
    #expect(exploration.failure == nil)
    #expect(exploration.distinctSchedules > 300)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `an actor that suspends between a read and a write is found in 100 executions`(seed: UInt64) async {
    let issues = await texts {
      await checkLinearizable(
        model: CounterModel(), commands: .element(of: [.increment, .read]), executions: 100, seed: seed
      ) {
        ReentrantCounter()
      } perform: { counter, command in
        switch command {
        case .increment: await counter.increment()
        case .read: await counter.value
        }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("Drawn: increment() ∥ increment()\n") == true, "\(issues)")
  }

  @Test func `the failure shows the history as bars, and how far an order gets, word for word`() async throws {
    let issue = try #require(await texts { _ = await reentrant([[.increment, .read], [.increment]]) }.first)
    #expect(issue.hasPrefix("It fails where caller 2 "), "\(issue)")
    #expect(
      issue.contains(
        """
        ; the other way round it passes.
        Not linearizable: no sequential order of these calls produces the observed results.
        order  caller  call → returned  from call to return
            1  1       increment() → 1  ├─────┤
            –  2       increment() → 1     ├────────┤
            2  1       value → 1                 ├─────┤
        The longest order that the model agrees with has 2 calls; a counter at 1 is the model then, and increment() would return 2, and returned 1.
        Likely cause: a call suspends, another call changes the state, and the first continues with what it has read before.
        What to do: find a call without a place in the order, and follow its lane and those of the calls that overlap it.
        Drawn: (increment() → value) ∥ increment()
        """), "\(issue)")
    #expect(issue.contains("\nReplay: .replay("))
  }

  @Test func `a call that waits for ever is a deadlock, unless it may`() async {
    func check(_ allowsPending: Bool) async -> [String] {
      await texts {
        await checkLinearizable(
          model: QueueModel(), commands: [[.take, .take], [.put(1)]], allowsPending: allowsPending, executions: 50,
          seed: 5
        ) {
          WaitingQueue()
        } perform: { queue, command in
          switch command {
          case .put(let element):
            await queue.put(element)
            return nil
          case .take: return await queue.take()
          }
        }
      }
    }
    #expect(await check(false).first?.hasPrefix("Deadlock: ") == true)
    let issues = await check(true)
    #expect(issues == [], "\(issues)")
  }

  @Test func `where calls may wait for ever, those that only take their time are waited for`() async {
    let issues = await texts {
      await checkLinearizable(
        model: CounterModel(), commands: [[.increment], [.increment]], allowsPending: true, executions: 50, seed: 6
      ) {
        ReentrantCounter()
      } perform: { counter, _ in
        try? await Task.sleep(for: .seconds(5))
        return await counter.increment()
      }
    }
    #expect(issues.first?.contains("Not linearizable: ") == true, "\(issues)")
  }

  @Test func `where calls may wait for ever, a caller may take as long as it likes in all`() async {
    let issues = await texts {
      await checkLinearizable(
        model: CounterModel(), commands: [[.increment, .increment, .increment]], allowsPending: true, executions: 1,
        strategy: .fifo
      ) {
        Recorder<Int>()
      } perform: { calls, _ in
        calls.record(0)
        try? await Task.sleep(for: .seconds(40))
        return calls.count < 3 ? calls.count : 99
      }
    }
    #expect(issues.first?.contains("Not linearizable: ") == true, "\(issues)")
  }

  @Test func `the report of calls that take long shows the calls and few waits`() async throws {
    let issue = try #require(
      await texts {
        await checkLinearizable(
          model: CounterModel(), commands: [[.increment, .increment]], allowsPending: true, executions: 1,
          strategy: .fifo
        ) {
          Recorder<Int>()
        } perform: { calls, _ in
          calls.record(0)
          try? await Task.sleep(for: .seconds(40))
          return calls.count < 2 ? calls.count : 99
        }
      }.first)
    #expect(issue.contains("increment() returns 1"), "\(issue)")
    #expect(!issue.contains("left out"), "\(issue)")
  }

  @Test func `a history that is too large to search is reported as undecided`() async throws {
    let many = Array(repeating: [RegisterModel.Command.set("x", 0)], count: 20) + [[.get("x")]]
    let issue = try #require(
      await texts {
        await checkLinearizable(model: RegisterModel(), commands: many, executions: 1, strategy: .fifo) {
          WaitingQueue()
        } perform: { _, command in
          await Task.yield()
          if case .get = command { return 9 }
          return 0
        }
      }.first)
    #expect(
      issue.hasPrefix(
        """
        Undecided: 20000 orders of 21 calls were tried without a result.
        Likely cause: too many calls overlap; the work may double with each.
        What to do: draw fewer calls, use fewer callers, or implement `partition(of:)` in the model.
        """), "\(issue)")
  }

  /// A register that keeps how often something had gone on by each call, for all that looks for a hang.
  private struct WatchedModel: SequentialModel {
    static let beats = Mutex<[UInt64]>([])
    var model = RegisterModel()

    mutating func apply(_ command: RegisterModel.Command) -> Int {
      Self.beats.withLock { $0.append(napkin_beats()) }
      return model.apply(command)
    }
  }

  @Test func `a long search of a history is no hang`() async throws {
    let history = Array(repeating: [RegisterModel.Command.set("x", 0)], count: 5) + [[.get("x")]]
    await checkLinearizable(model: WatchedModel(), commands: history, executions: 1, strategy: .fifo) {
      WaitingQueue()
    } perform: { _, _ in
      await Task.yield()
      return 0
    }
    let beats = WatchedModel.beats.withLock { $0 }
    #expect(beats.count >= 6)
    #expect(zip(beats, beats.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `arguments that allow no call are reported, word for word`() async {
    let counter: @Sendable () async -> SoundCounter = { SoundCounter() }
    let issues = await texts {
      await checkLinearizable(model: CounterModel(), commands: [.read], callers: 0, counter) { _, _ in 0 }
      await checkLinearizable(model: CounterModel(), commands: [.read], calls: -1...2, counter) { _, _ in 0 }
      await checkLinearizable(model: CounterModel(), commands: [] as [CounterModel.Command], counter) { _, _ in 0 }
    }
    #expect(
      issues == [
        """
        checkLinearizable was given callers: 0, so no call could be made.
        Likely cause: the number was computed, or mistyped.
        What to do: pass 2 or more, so that calls overlap.
        """,
        """
        checkLinearizable was given calls: -1...2, a negative number of them.
        Likely cause: the range was computed, or mistyped.
        What to do: pass a range that begins at 0 or more, such as 1...8.
        """,
        """
        checkLinearizable was given an empty list of commands.
        Likely cause: a computed list is empty.
        What to do: pass at least one command.
        """,
      ])
  }
}

private func texts(_ body: () async -> Void) async -> [String] {
  await issueRecords { await body() }.map(\.text)
}
