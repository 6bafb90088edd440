// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing
import XCTest

@MainActor final class SearchModel {
  private let find: @Sendable (String) async -> [String]
  private(set) var results: [String] = []
  private var search: Task<Void, Never>?

  init(find: @escaping @Sendable (String) async -> [String]) { self.find = find }

  func type(_ text: String) {
    search?.cancel()
    search = Task {
      try? await Task.sleep(for: .milliseconds(300))
      guard !Task.isCancelled else { return }
      let found = await find(text)
      guard !Task.isCancelled else { return }
      results = found
    }
  }

  func finish() async { await search?.value }
}

@Suite struct FromXCTestArticle {
  @Test(.interleavings(500)) @MainActor func `the results are those of the last text`() async {
    let model = SearchModel { [$0] }
    model.type("ri")
    model.type("rib")
    await model.finish()
    #expect(model.results == ["rib"])
  }

  @Test(.simulated) @MainActor func `in one order, as withMainSerialExecutor would run it`() async {
    let model = SearchModel { [$0] }
    model.type("rib")
    await model.finish()
    #expect(model.results == ["rib"])
  }

  @Test @MainActor func `a search that is under way shows nothing yet`() async {
    let gate = Gate()
    let model = SearchModel { text in
      await gate.pass()
      return [text]
    }
    model.type("rib")
    await gate.reached()
    #expect(model.results.isEmpty)
    gate.open()
    await model.finish()
    #expect(model.results == ["rib"])
  }
}

final class SearchModelTests: XCTestCase {
  func testTheLastTextWins() async {
    await explore(executions: 200) { @MainActor in
      let model = SearchModel { [$0] }
      model.type("ri")
      model.type("rib")
      await model.finish()
      #expect(model.results == ["rib"])
    }
  }
}
