// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/FakesOfAServer.md"))
struct FakesOfAServerArticle {
  actor FakeServer {
    func search(_ text: String) -> [String] { ["ribs", "rice", "rolls"].filter { $0.hasPrefix(text) } }
  }

  @MainActor final class SearchModel {
    private let server: FakeServer
    private(set) var results: [String] = []

    init(_ server: FakeServer) { self.server = server }

    func type(_ text: String) async {
      results = await server.search(text)
    }
  }

  @Test(.interleavings(1_000), .answersInAnyOrder(of: FakeServer.self))
  func `what is typed last is what is shown`() async {
    let model = await SearchModel(FakeServer())
    let r = Task(name: "r") { @MainActor in await model.type("r") }
    let ri = Task(name: "ri") { @MainActor in await model.type("ri") }
    _ = await (r.value, ri.value)
    #expect(await model.results == ["ribs", "rice"])
  }
}

@Suite struct FakesOfAServerFixed {
  typealias FakeServer = FakesOfAServerArticle.FakeServer

  @MainActor final class SearchModel {
    private let server: FakeServer
    private var text = ""
    private(set) var results: [String] = []

    init(_ server: FakeServer) { self.server = server }

    func type(_ text: String) async {
      self.text = text
      let results = await server.search(text)
      guard text == self.text else { return Execution.label("stale answer dropped") }
      self.results = results
    }
  }

  @Test(.interleavings(1_000)) func `a late answer is dropped`() async {
    let server = FakeServer()
    Execution.answersInAnyOrder(of: server, within: .seconds(3))
    let model = await SearchModel(server)
    let r = Task(name: "r") { @MainActor in await model.type("r") }
    let ri = Task(name: "ri") { @MainActor in await model.type("ri") }
    await ri.value
    Execution.sometimes("ri is answered first", await model.results == ["ribs", "rice"], atLeast: 0.2)
    await r.value
    #expect(await model.results == ["ribs", "rice"])
  }

  @Test func `labels are counted`() async {
    let result = await explore(executions: 200) {
      let model = await SearchModel(FakeServer())
      Execution.answersInAnyOrder(of: FakeServer.self)
      let r = Task { @MainActor in await model.type("r") }
      let ri = Task { @MainActor in await model.type("ri") }
      _ = await (r.value, ri.value)
    }
    print(result)
    #expect(result.labels["stale answer dropped"] ?? 0 > 0)
  }
}
