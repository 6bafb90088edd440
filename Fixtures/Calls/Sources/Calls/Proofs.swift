// SPDX-License-Identifier: Apache-2.0

private actor Notes {
  func put(_ line: String, _ log: Log) { log(line) }
}

extension Call {
  /// Steps with several effects: a task is made ready, and another effect follows.
  static let proofs: [Call] = [
    proof("task, then immediate") { notes, log in
      let one = Task { await notes.put("a", log) }
      let two = Task.immediate { await notes.put("b", log) }
      await one.value
      await two.value
    },
    proof("two tasks", rules: "") { notes, log in
      let one = Task.detached { await notes.put("a", log) }
      let two = Task.detached { await notes.put("b", log) }
      await one.value
      await two.value
    },
    proof("task, then a hop") { notes, log in
      let one = Task.detached { await notes.put("a", log) }
      await notes.put("b", log)
      await one.value
    },
    proof("async let, then a hop") { notes, log in
      async let one: Void = notes.put("a", log)
      await notes.put("b", log)
      await one
    },
    proof("child, then a hop") { notes, log in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await notes.put("a", log) }
        await notes.put("b", log)
      }
    },
    proof("resume, then a hop") { notes, log in
      let box = Box<CheckedContinuation<Void, Never>>()
      let one = parked {
        await withCheckedContinuation { box.put($0) }
        await notes.put("a", log)
      }
      box.take()!.resume()
      await notes.put("b", log)
      await one.value
    },
    proof("yield, then a hop") { notes, log in
      let (stream, source) = AsyncStream<Void>.makeStream()
      let one = parked {
        for await _ in stream { break }
        await notes.put("a", log)
      }
      source.yield()
      await notes.put("b", log)
      await one.value
    },
    proof("cancel, then a hop") { notes, log in
      let one = parked {
        try? await Task.sleep(for: .seconds(1_000))
        await notes.put("a", log)
      }
      one.cancel()
      await notes.put("b", log)
      await one.value
    },
    proof("task, then a line") { notes, log in
      let one = Task.detached { log("a") }
      log("b")
      await one.value
    },
  ]

  private static func proof(
    _ name: String, rules: String = "", _ steps: @escaping @Sendable (Notes, Log) async -> Void
  ) -> Call {
    Call("proof: \(name)", "ab", rules: rules, bystander: false, places: [.body]) { _, log in await steps(Notes(), log)
    }
  }
}
