// SPDX-License-Identifier: Apache-2.0

// A model observes its store in a task that takes itself strongly before the loop. The loop has no end, so the model is
// never released, and each turn of the screen leaves one more that observes.
//
// It was found by a review of the pull request. The repair takes the model strongly in each round.
extension Case {
  static let observationKeepsModel = Case(
    "observation-keeps-model", of: "paulgessinger/swift-paperless 600",
    .plain, .lifecycle, decides: "observe"
  ) {
    let version = Version.current
    let store = DocumentStore()
    var model: DocumentListModel? = await DocumentListModel(version, store)
    weak let released = model
    await model?.observe()
    await store.add("invoice")
    model = nil
    await store.add("contract")
    // What still runs may end.
    for _ in 0..<8 { await Task.yield() }
    try expect(released == nil, "a model whose screen has gone is released")
    await store.close()
  }
}

private actor DocumentStore {
  private var watchers: [AsyncStream<String>.Continuation] = []

  func documents() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    watchers.append(continuation)
    return stream
  }

  func add(_ document: String) { for watcher in watchers { watcher.yield(document) } }
  func close() { for watcher in watchers { watcher.finish() } }
}

@MainActor private final class DocumentListModel {
  private let version: Case.Version
  private let store: DocumentStore
  private var documents: [String] = []
  private var task: Task<Void, Never>?

  init(_ version: Case.Version, _ store: DocumentStore) {
    self.version = version
    self.store = store
  }

  func observe() async {
    let stream = await store.documents()
    switch version {
    case .before:
      task = Task { [weak self] in
        guard let self else { return }
        for await document in stream { documents.append(document) }
      }
    case .after:
      task = Task { [weak self] in
        for await document in stream {
          guard let self else { return }
          documents.append(document)
        }
      }
    }
  }

  deinit { task?.cancel() }
}
