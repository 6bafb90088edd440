// SPDX-License-Identifier: Apache-2.0

// A pane loads anew when its subject changes, and cancels the load of the one before. What it calls does not look at the
// cancellation, and an old answer that is late replaces the new one.
//
// The repair drops what a cancelled load would write.
extension Case {
  static let staleLoadWins = Case(
    "stale-load-wins", of: "Droidective/Droidective 219",
    .plain, .lifecycle, decides: "load"
  ) {
    let version = Version.current
    let pane = await DeepLinksPane(version)
    await pane.select("maps")
    await pane.select("mail")
    await pane.settled()
    let links = await pane.links
    try expect(links == ["mail://"], "the links are those of the app that is selected: \(links)")
  }
}

private enum Bridge {
  /// Asks a device, which takes its time.
  static func links(of app: String) async -> [String] {
    await Task.yield()
    return ["\(app)://"]
  }
}

@MainActor private final class DeepLinksPane {
  private let version: Case.Version
  private(set) var links: [String] = []
  private var loads: [Task<Void, Never>] = []

  init(_ version: Case.Version) { self.version = version }

  func select(_ app: String) {
    loads.last?.cancel()
    loads.append(Task { await load(app) })
  }

  private func load(_ app: String) async {
    let loaded = await Bridge.links(of: app)
    if version == .before || !Task.isCancelled { links = loaded }
  }

  func settled() async { for load in loads { await load.value } }
}
