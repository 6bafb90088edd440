// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

actor DraftStore {
  private(set) var saved: [String] = []
  func save(_ text: String) { saved.append(text) }
}

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/FlakyAsyncTests.md"))
struct FlakyAsyncTestsArticle {
  actor Editor {
    private let store: DraftStore
    init(_ store: DraftStore) { self.store = store }

    func close(with text: String) {
      Task(name: "save") { await store.save(text) }
    }
  }

  @Test(.interleavings(1_000)) func `a draft is kept when the editor closes`() async throws {
    let store = DraftStore()
    await Editor(store).close(with: "Dear")
    try await Task.sleep(for: .milliseconds(50))
    #expect(await store.saved == ["Dear"])
  }
}

@Suite struct AwaitedAsyncTestsArticle {
  actor Editor {
    private let store: DraftStore
    init(_ store: DraftStore) { self.store = store }

    @discardableResult
    func close(with text: String) -> Task<Void, Never> {
      Task(name: "save") { await store.save(text) }
    }
  }

  @Test(.interleavings(1_000)) func `a draft is kept once what saves it has ended`() async {
    let store = DraftStore()
    await Editor(store).close(with: "Dear").value
    #expect(await store.saved == ["Dear"])
  }
}

@Suite struct SettledAsyncTestsArticle {
  typealias Editor = FlakyAsyncTestsArticle.Editor

  @Test(.interleavings(1_000)) func `a draft is kept at rest`() async {
    let store = DraftStore()
    await Editor(store).close(with: "Dear")
    await Execution.settle()
    #expect(await store.saved == ["Dear"])
  }
}
