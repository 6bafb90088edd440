// SPDX-License-Identifier: Apache-2.0

// The stream of a request's progress registers its continuation by a task on the pipeline's actor. Events that are sent
// before that task has run are lost, and where the last is among them the stream never ends.
//
// The repair keeps the events until a continuation is there.
extension Case {
  static let sentBeforeSubscription = Case(
    "sent-before-subscription", of: "kean/Nuke 980",
    .plain, decides: "subscribe"
  ) {
    let version = Version.current
    let request = ImageRequest(version)
    let progress = request.progress
    Task { await request.load() }
    var seen: [Int] = []
    for await percent in progress { seen.append(percent) }
    try expect(seen.last == 100, "the last event is 100: \(seen)")
  }
}

private actor ImageRequest {
  private let version: Case.Version
  private var continuation: AsyncStream<Int>.Continuation?
  private var (kept, isFinished): ([Int], Bool) = ([], false)

  init(_ version: Case.Version) { self.version = version }

  nonisolated var progress: AsyncStream<Int> {
    AsyncStream { continuation in Task { await self.subscribe(continuation) } }
  }

  func load() async {
    for percent in [50, 100] {
      await Task.yield()
      continuation?.yield(percent)
      kept.append(percent)
    }
    continuation?.finish()
    isFinished = true
  }

  private func subscribe(_ continuation: AsyncStream<Int>.Continuation) {
    self.continuation = continuation
    guard version == .after else { return }
    for percent in kept { continuation.yield(percent) }
    if isFinished { continuation.finish() }
  }
}
