// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/ReadingAFailure.md"))
struct ReadingAFailureArticle {
  actor Queue {
    private var orders: [String] = []
    func add(_ order: String) { orders.append(order) }
    func next() -> String? { orders.isEmpty ? nil : orders.removeFirst() }
  }

  actor Cook {
    private(set) var cooked: [String] = []
    func cook(_ order: String) { cooked.append(order) }
  }

  @Test(.interleavings(1_000)) func `what was ordered is cooked`() async {
    let (queue, cook) = (Queue(), Cook())
    let waiter = Task(name: "waiter") { await queue.add("brisket") }
    let kitchen = Task(name: "kitchen") {
      if let order = await queue.next() { await cook.cook(order) }
    }
    _ = await (waiter.value, kitchen.value)
    #expect(await cook.cooked == ["brisket"])
  }
}

@Suite struct ReadingAFailureByHand {
  @Test func `a failure can be looked at in the test`() async throws {
    let result = await Explorer(seed: 1).run {
      let queue = ReadingAFailureArticle.Queue()
      async let order: Void = queue.add("brisket")
      let next = await queue.next()
      await order
      #expect(next == "brisket")
    }
    let failure = try #require(result.failure)
    print(failure.timeline)
    let page = failure.htmlReport(title: "a lost order")
    #expect(page.contains(failure.schedule))
  }
}
