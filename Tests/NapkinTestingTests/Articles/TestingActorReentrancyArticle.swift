// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

actor ImageServer {
  private(set) var downloads = 0

  func download(_ name: String) async -> String {
    downloads += 1
    await Task.yield()
    return "the picture \(name)"
  }
}

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/TestingActorReentrancy.md"))
struct TestingActorReentrancyArticle {
  actor ImageCache {
    private let server: ImageServer
    private var images: [String: String] = [:]
    init(_ server: ImageServer) { self.server = server }

    func image(_ name: String) async -> String {
      if let image = images[name] { return image }
      let image = await server.download(name)
      images[name] = image
      return image
    }
  }

  @Test(.interleavings(1_000)) func `a picture is downloaded once`() async {
    let server = ImageServer()
    let cache = ImageCache(server)
    async let list = cache.image("rib")
    async let detail = cache.image("rib")
    _ = await (list, detail)
    #expect(await server.downloads == 1)
  }
}

@Suite struct TestingActorReentrancyFixed {
  actor ImageCache {
    private let server: ImageServer
    private var images: [String: Task<String, Never>] = [:]
    init(_ server: ImageServer) { self.server = server }

    func image(_ name: String) async -> String {
      if let image = images[name] { return await image.value }
      let image = Task { await server.download(name) }
      images[name] = image
      return await image.value
    }
  }

  @Test(.interleavings(1_000)) func `a picture is downloaded once where its task is kept`() async {
    let server = ImageServer()
    let cache = ImageCache(server)
    async let list = cache.image("rib")
    async let detail = cache.image("rib")
    _ = await (list, detail)
    #expect(await server.downloads == 1)
  }

  @Test func `every order of two callers is run`() async {
    let result = await explore(executions: 10_000, strategy: .exhaustive()) {
      let server = ImageServer()
      let cache = ImageCache(server)
      async let list = cache.image("rib")
      async let detail = cache.image("rib")
      _ = await (list, detail)
      #expect(await server.downloads == 1)
    }
    #expect(result.isExhaustive)
  }
}
