// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Place {
  @_optimize(none) func visit() {}
  func stay() async { await Task.yield() }
}

/// Which schedules count as different.
@Suite struct EntryOrderTests {
  private func all(_ body: @escaping @Sendable () async -> Void) async -> Exploration {
    let result = await Explorer(executions: 20_000, strategy: .exhaustive()).run(body)
    #expect(result.isExhaustive)
    return result
  }

  @Test func `the order of steps on different actors makes no difference`() async {
    let result = await all {
      let (first, second) = (Place(), Place())
      async let one: Void = first.visit()
      async let other: Void = second.visit()
      _ = await (one, other)
    }
    #expect(result.executions > 1)
    #expect(result.distinctSchedules == 1)
    #expect(result.worth.contains("1 different schedule by each actor's order"))
  }

  @Test func `the order in which one actor is entered makes a difference`() async {
    let result = await all {
      let place = Place()
      async let one: Void = place.visit()
      async let other: Void = place.visit()
      _ = await (one, other)
    }
    #expect(result.distinctSchedules == 2)
  }

  /// (3 + 2)! / (3! · 2!) orders of three visits and two; a task that visits twice in a row is not one that does once.
  ///
  /// By Apple's ways, where a yield takes more steps, there are two and two, so that the search ends.
  @Test func `every order of visits counts once`() async {
    let counts = PlatformWays.replaceLibraryFunctions ? [3, 2] : [2, 2]
    let result = await all {
      let place = Place()
      let tasks = counts.map { count in
        Task {
          for _ in 0..<count {
            await place.visit()
            await Task.yield()
          }
        }
      }
      for task in tasks { await task.value }
    }
    #expect(result.distinctSchedules == (counts == [3, 2] ? 10 : 6))
  }

  /// Which task is numbered first depends on the order in which their creators start them.
  @Test func `tasks that others start on different actors are the same tasks in each schedule`() async {
    let result = await all {
      await withTaskGroup { group in
        for place in [Place(), Place()] { group.addTask { await Task { await place.visit() }.value } }
      }
    }
    #expect(result.distinctSchedules == 1)
  }

  @Test func `a task that has to wait on the main actor is no other one`() async {
    let result = await all { @MainActor in
      let (first, second) = (Place(), Place())
      async let one: Void = first.visit()
      async let other: Void = second.visit()
      _ = await one
      _ = await other
    }
    #expect(result.distinctSchedules == 1)
  }

  /// One after the other in two orders, and those in which one runs between the other's two steps.
  @Test func `a task that yields on an actor enters it again`() async {
    let result = await all {
      let place = Place()
      async let one: Void = place.stay()
      async let other: Void = place.stay()
      _ = await (one, other)
    }
    #expect(result.distinctSchedules > 2)
  }

  /// Nothing else is known of the state that the tasks share: 4! / (2! · 2!) orders of two tasks of two steps each.
  @Test func `without an actor the order of all steps counts`() async {
    let tally = Tally()
    let result = await Explorer(executions: 20_000, strategy: .exhaustive()).run(stepping([2, 2], into: tally))
    #expect(tally.outcomes.count == 6)
    #expect(result.distinctSchedules >= 6)
    #expect(result.distinctSchedules <= result.executions)
    #expect(result.worth.contains("different schedules by the order of steps"))
  }
}
