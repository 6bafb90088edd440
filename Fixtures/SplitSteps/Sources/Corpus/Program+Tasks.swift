// SPDX-License-Identifier: Apache-2.0

import Meeting

// What orders tasks by the runtime.

actor Keeper {
  private let plain: Plain
  init(_ plain: Plain) { self.plain = plain }
  func write() { plain.number += 1 }
  func work(_ body: @Sendable () -> Void) { body() }
}

@MainActor private func onMain(_ plain: Plain) { plain.number += 1 }

extension Program {
  static let tasks = [
    Program("one actor", race: false) {
      let keeper = Keeper(Plain())
      async let one: Void = keeper.write()
      async let two: Void = keeper.write()
      _ = await (one, two)
    },
    Program("two actors", race: true) {
      let plain = Plain()
      let keepers = (Keeper(plain), Keeper(plain))
      async let one: Void = keepers.0.work {
        meet()
        plain.number = 1
      }
      async let two: Void = keepers.1.work {
        meet()
        plain.number = 2
      }
      _ = await (one, two)
    },
    Program("main actor", race: false) {
      let plain = Plain()
      async let one: Void = onMain(plain)
      async let two: Void = onMain(plain)
      _ = await (one, two)
    },
    Program("task group, written before and after", race: false) {
      let plain = Plain()
      plain.number = 1
      await withTaskGroup { group in
        group.addTask { plain.number += 1 }
        await group.waitForAll()
        plain.number += 1
      }
    },
    Program("task group, written by two of its tasks", race: true) {
      let plain = Plain()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            meet()
            plain.number = 1
          }
        }
      }
    },
    Program("task that is awaited too late", race: true) {
      let plain = Plain()
      let task = Task.detached {
        meet()
        plain.number = 1
      }
      meet()
      plain.number = 2
      await task.value
    },
    Program("written before a continuation is resumed", race: false) {
      let plain = Plain()
      await withCheckedContinuation { continuation in
        Task.detached {
          plain.number = 1
          continuation.resume()
        }
      }
      plain.number = 2
    },
    Program("written after a continuation was resumed", race: true) {
      let plain = Plain()
      let (end, ended) = AsyncStream<Never>.makeStream()
      await withCheckedContinuation { continuation in
        Task.detached {
          continuation.resume()
          meet()
          plain.number = 1
          ended.finish()
        }
      }
      meet()
      plain.number = 2
      for await _ in end {}
    },
    Program("stream", race: false) {
      let plain = Plain()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      async let reader: Void = { for await _ in stream { plain.number += 1 } }()
      plain.number = 1
      continuation.yield(1)
      continuation.finish()
      await reader
    },
    Program("stream, written after the value is sent", race: true) {
      let plain = Plain()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      async let reader: Void = {
        for await _ in stream {
          meet()
          plain.number = 1
        }
      }()
      continuation.yield(1)
      meet()
      plain.number = 2
      continuation.finish()
      await reader
    },
  ]
}
