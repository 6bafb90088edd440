// SPDX-License-Identifier: Apache-2.0

private actor Loader {
  func load() -> Int { 42 }
}

/// Forgets that others may come in while it waits.
private actor Cache {
  private var value: Int?
  private(set) var loads = 0

  func get(from loader: Loader) async {
    if value == nil {
      loads += 1
      value = await loader.load()
    }
  }
}

/// Keeps the load that is under way, and lets others wait for that.
private actor SharingCache {
  private var load: Task<Int, Never>?
  private(set) var loads = 0

  func get(from loader: Loader) async {
    if load == nil {
      loads += 1
      load = Task { await loader.load() }
    }
    _ = await load?.value
  }
}

extension YardstickProgram {
  /// An actor is reentrant at its own `await`: the check is out of date after it.
  static let reentrantCache = Self(name: "Reentrant cache", depth: 2) {
    let (cache, loader) = (Cache(), Loader())
    try await finish(
      (0..<2).map { index in
        Task {
          await hop(5 * index)
          await cache.get(from: loader)
        }
      }
    )
    let loads = await cache.loads
    try demand(loads == 1, "loaded \(loads) times")
  }

  static let soundCache = Self(name: "Reentrant cache, sound", depth: nil) {
    let (cache, loader) = (SharingCache(), Loader())
    try await finish(
      (0..<2).map { index in
        Task {
          await hop(5 * index)
          await cache.get(from: loader)
        }
      }
    )
    let loads = await cache.loads
    try demand(loads == 1, "loaded \(loads) times")
  }
}
