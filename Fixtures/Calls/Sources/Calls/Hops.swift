// SPDX-License-Identifier: Apache-2.0

private actor Desk {
  func note(_ line: String, _ log: Log) { log(line) }
}

@MainActor private func note(_ line: String, _ log: Log) { log(line) }

extension Call {
  static let hops: [Call] = [
    Call("hop to an actor", "amb", rules: "a<m m<b") { _, log in
      let desk = Desk()
      log("a")
      await desk.note("m", log)
      log("b")
    },
    Call("hop to the main actor", "amb", rules: "a<m m<b", places: [.body, .pool, .actor]) { _, log in
      log("a")
      await note("m", log)
      log("b")
    },
    Call("no hop on the main actor", "amb", rules: "a<m m<b", isPoint: false, places: [.main]) { _, log in
      log("a")
      await note("m", log)
      log("b")
    },
    Call("two hop to an actor", "ambcnd", rules: "a<m m<b c<n n<d", bystander: false) { _, log in
      let desk = Desk()
      let other = Task.detached {
        log("c")
        await desk.note("n", log)
        log("d")
      }
      log("a")
      await desk.note("m", log)
      log("b")
      await other.value
    },
    Call("two send to an actor", "1m2n", rules: "1<m 2<n", bystander: false, places: [.body]) { _, log in
      let desk = Desk()
      let first = Task.detached {
        log("1")
        await Task.detached { await desk.note("m", log) }.value
      }
      let second = Task.detached {
        log("2")
        await Task.detached { await desk.note("n", log) }.value
      }
      await first.value
      await second.value
    },
    Call("two send to the main actor", "1m2n", rules: "1<m 2<n", bystander: false, places: [.body, .pool]) { _, log in
      let first = Task.detached {
        log("1")
        await Task { @MainActor in log("m") }.value
      }
      let second = Task.detached {
        log("2")
        await Task { @MainActor in log("n") }.value
      }
      await first.value
      await second.value
    },
    Call("one sends twice to the main actor", "amcnb", rules: "a<m a<c c<n c<b m<n", places: [.body, .pool]) { _, log in
      log("a")
      let first = Task { @MainActor in log("m") }
      log("c")
      let second = Task { @MainActor in log("n") }
      log("b")
      await first.value
      await second.value
    },
    Call("isolated deinit", "axb", rules: "a<x a<b", places: [.body, .pool, .actor]) { _, log in
      log("a")
      _ = Ending(log)
      log("b")
      while log.outcome.contains("x") == false { await Task.yield() }
    },
  ]
}

@MainActor private final class Ending {
  let log: Log
  nonisolated init(_ log: Log) { self.log = log }
  isolated deinit { log("x") }
}
