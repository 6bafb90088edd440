// SPDX-License-Identifier: Apache-2.0

// A recovery replaces the store of the app while a screen refreshes from the context that it was given. The next fetch of
// the screen goes to a context whose store is gone, which traps.
//
// The repair counts the stores, and a refresh ends when its own is no longer the newest.
extension Case {
  static let fetchAfterStoreReplaced = Case(
    "fetch-after-store-replaced", of: "meshtastic/Meshtastic-Apple 2232",
    .plain, .lifecycle, decides: "replace"
  ) {
    let version = Version.current
    let persistence = Persistence()
    let screen = await NodesScreen(version, persistence)
    async let refresh: Void = screen.refresh()
    async let recovery: Void = persistence.replace()
    _ = await (refresh, recovery)
  }
}

@MainActor private final class Context {
  var isOpen = true

  func fetch() -> [String] {
    precondition(isOpen, "a fetch from a store that is gone")
    return ["node"]
  }
}

@MainActor private final class Persistence {
  private(set) var (context, generation) = (Context(), 0)

  func replace() async {
    let old = context
    context = Context()
    generation += 1
    old.isOpen = false
  }
}

@MainActor private final class NodesScreen {
  private let version: Case.Version
  private let persistence: Persistence
  private let (context, generation): (Context, Int)
  private var nodes: [String] = []

  init(_ version: Case.Version, _ persistence: Persistence) {
    self.version = version
    self.persistence = persistence
    (context, generation) = (persistence.context, persistence.generation)
  }

  func refresh() async {
    for _ in 0..<3 {
      if version == .after, generation != persistence.generation { return }
      nodes = context.fetch()
      // The pause between two pages.
      await Task.yield()
    }
  }
}
