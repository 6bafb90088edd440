// SPDX-License-Identifier: Apache-2.0

// A task that ends advances the queue of its key. Where a new task has replaced the queue, the old one, deaf to its
// cancellation, ends later and advances the queue of the new one, which then runs two tasks at once.
//
// The repair advances only the queue that the task belongs to.
extension Case {
  static let oldTaskAdvancesQueue = Case(
    "old-task-advances-queue", of: "VergeGroup/swift-concurrency-task-manager 15 (87605b6)", .plain, .cancellation,
    decides: "ended"
  ) {
    let version = Version.current
    let (manager, work) = (TaskManager(version), Work())
    await manager.replace { await work.old() }
    await manager.replace { await work.new() }
    await manager.append { await work.new() }
    await manager.waitUntilIdle()
    let most = await work.most
    try expect(most == 1, "one task of a key runs at a time, not \(most)")
  }
}

private actor Work {
  private var running = 0
  private(set) var most = 0

  func old() async { for _ in 0..<3 { await Task.yield() } }

  func new() async {
    running += 1
    most = max(most, running)
    for _ in 0..<3 { await Task.yield() }
    running -= 1
  }
}

private actor TaskManager {
  private let version: Case.Version
  private var (generation, all): (Int, [Task<Void, Never>]) = (0, [])
  private var current: Task<Void, Never>?
  private var queue: [@Sendable () async -> Void] = []

  init(_ version: Case.Version) { self.version = version }

  func replace(_ work: @escaping @Sendable () async -> Void) {
    current?.cancel()
    generation += 1
    queue = [work]
    advance()
  }

  func append(_ work: @escaping @Sendable () async -> Void) {
    queue.append(work)
    if current == nil { advance() }
  }

  func waitUntilIdle() async { while let task = all.popLast() { await task.value } }

  private func advance() {
    guard !queue.isEmpty else {
      current = nil
      return
    }
    let (work, generation) = (queue.removeFirst(), generation)
    let task = Task {
      await work()
      ended(generation)
    }
    current = task
    all.append(task)
  }

  private func ended(_ generation: Int) {
    if version == .before || generation == self.generation { advance() }
  }
}
