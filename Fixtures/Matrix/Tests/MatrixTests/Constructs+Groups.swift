// SPDX-License-Identifier: Apache-2.0

nonisolated extension Construct {
  /// Each way to run a task of a group.
  static let groups = [
    Construct("group", .swallows) { work in
      await withTaskGroup { group in
        group.addTask { try? await work() }
        group.addTask { await pause() }
      }
    },
    Construct("group of named tasks", tasks: ["child"]) { work in
      try await withThrowingTaskGroup { group in
        group.addTask(name: "child") { try await work() }
        group.addTask(name: "sibling") { await pause() }
        try await group.waitForAll()
      }
    },
    Construct("group by next") { work in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...3 {
          group.addTask {
            await pause()
            return number
          }
        }
        while try await group.next() != nil {}
        try await work()
      }
    },
    Construct("group that iterates", tasks: ["opener"]) { work in
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask(name: "opener") {
          try await work()
          return 1
        }
        group.addTask { 2 }
        for try await _ in group {}
      }
    },
    Construct("group unless cancelled") { work in
      try await withThrowingTaskGroup { group in
        _ = group.addTaskUnlessCancelled { try await work() }
        await pause()
        try await group.waitForAll()
      }
    },
    Construct("group that cancels", .swallows, .cancels) { work in
      await withTaskGroup { group in
        group.addTask { try? await work() }
        group.addTask { try? await Task.sleep(for: .seconds(1)) }
        await pause()
        group.cancelAll()
      }
    },
    Construct("group with an immediate task") { work in
      try await withThrowingTaskGroup { group in
        group.addImmediateTask { try await work() }
        await pause()
        try await group.waitForAll()
      }
    },
    Construct("discarding group", .swallows) { work in
      await withDiscardingTaskGroup { group in
        group.addTask { try? await work() }
        group.addTask { await pause() }
      }
    },
    Construct("throwing discarding group", tasks: ["discarded"]) { work in
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask(name: "discarded") { try await work() }
        group.addTask { await pause() }
      }
    },
    Construct("group of groups", tasks: ["leaf"]) { work in
      try await withThrowingTaskGroup { outer in
        outer.addTask {
          try await withThrowingTaskGroup { inner in
            inner.addTask(name: "leaf") { try await work() }
            try await inner.waitForAll()
          }
        }
        outer.addTask { await pause() }
        try await outer.waitForAll()
      }
    },
    Construct("crowd of 40", tasks: ["guest 7"]) { work in try await runCrowd(of: 40, work) },
    Construct("crowd of 100", tasks: ["guest 7"]) { work in try await runCrowd(of: 100, work) },
    Construct("group that is left early") { work in
      try await withThrowingTaskGroup { group in
        group.addTask { try? await Task.sleep(for: .seconds(60)) }
        group.addTask { await pause() }
        try await group.next()
        group.cancelAll()
        try await work()
      }
    },
  ]

  /// Runs the inner code in one of many children, all of which suspend.
  private static func runCrowd(of count: Int, _ work: @escaping Work) async throws {
    try await withThrowingTaskGroup { group in
      for number in 1...count {
        group.addTask(name: "guest \(number)") {
          await pause()
          if number == 7 { try await work() }
        }
      }
      try await group.waitForAll()
    }
  }
}
