// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct ExploringInterleavingsArticle {
  actor Thumbnails {
    private var cache: [String: Task<String, Never>] = [:]
    private(set) var downloads = 0

    func thumbnail(_ name: String) async -> String {
      if let known = cache[name] { return await known.value }
      let task = Task { await download(name) }
      cache[name] = task
      return await task.value
    }

    private func download(_ name: String) async -> String {
      downloads += 1
      try? await Task.sleep(for: .seconds(2))
      return name.uppercased()
    }
  }

  @Test(.interleavings(500)) func `a thumbnail is downloaded once`() async {
    let thumbnails = Thumbnails()
    async let first = thumbnails.thumbnail("rib")
    async let second = thumbnails.thumbnail("rib")
    #expect(await [first, second] == ["RIB", "RIB"])
    #expect(await thumbnails.downloads == 1)
  }

  @Test func `thumbnails of any names`() async {
    await explore(executions: 500) {
      let names = Execution.draw(.array(of: .element(of: ["rib", "bun", "slaw"]), count: 1...4), "names")
      let thumbnails = Thumbnails()
      await withTaskGroup { group in
        for name in names { group.addTask { await thumbnails.thumbnail(name) } }
      }
      #expect(await thumbnails.downloads == Set(names).count)
    }
  }

  @Test func `a small body is explored to the end`() async {
    let result = await Explorer(executions: 10_000, strategy: .exhaustive()).run {
      let thumbnails = Thumbnails()
      async let first = thumbnails.thumbnail("rib")
      async let second = thumbnails.thumbnail("rib")
      _ = await (first, second)
      #expect(await thumbnails.downloads == 1)
    }
    #expect(result.failure == nil)
    #expect(result.isExhaustive)
    print(result)
  }

  @Test(.interleavings(500, cancels: true)) func `a task that waits for a thumbnail may be cancelled`() async {
    let thumbnails = Thumbnails()
    let reader = Task(name: "reader") { await thumbnails.thumbnail("rib") }
    #expect(await reader.value == "RIB")
    #expect(await thumbnails.thumbnail("rib") == "RIB")
  }

  @Test(.interleavings(500)) func `a download that nothing awaits has ended`() async {
    let thumbnails = Thumbnails()
    Task { await thumbnails.thumbnail("rib") }
    await Execution.settle()
    #expect(await thumbnails.downloads == 1)
  }

  actor Counter {
    private var guests = 0
    private(set) var longestQueue = 0

    func join() {
      guests += 1
      longestQueue = max(longestQueue, guests)
    }

    func leave() { guests -= 1 }
  }

  @Test(.interleavings(500)) func `a queue is never longer than the guests are many`() async {
    let counter = Counter()
    let guests = Execution.draw(.int(in: 1...5), "guests")
    await withTaskGroup { group in
      for _ in 0..<guests {
        group.addTask {
          await counter.join()
          await Task.yield()
          await counter.leave()
        }
      }
    }
    Execution.target(await counter.longestQueue)
    #expect(await counter.longestQueue <= guests)
  }

  @Test(.simulated) func `a minute of waiting takes no time`() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    try await Task.sleep(for: .seconds(60))
    #expect(start.duration(to: clock.now) >= .seconds(60))
  }
}
