// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct WhatAPassProvesArticle {
  actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
  }

  @Test func `a pass says how much it has seen`() async {
    let result = await explore(executions: 2_000, strategy: .random) {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 1...3 { group.addTask { await counter.increment() } }
      }
      #expect(await counter.value == 3)
    }
    print(result)
  }

  actor HastyCounter {
    private(set) var value = 0

    func increment() async {
      let old = value
      await Task.yield()
      value = old + 1
    }
  }

  @Test func `the counter that is wrong is found`() async {
    let result = await Explorer(executions: 100).run {
      let counter = HastyCounter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      #expect(await counter.value == 2)
    }
    #expect(result.failure != nil)
  }
}
