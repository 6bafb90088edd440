// SPDX-License-Identifier: Apache-2.0

// A list loads its next page when it is scrolled to the end, unless a load is under way. The flag of that is set in the
// task that loads: a second call that comes before the task begins passes the guard, and the page is there twice.
//
// It was found by a review. The repair sets the flag before the task is made.
extension Case {
  static let loadingFlagInTask = Case(
    "loading-flag-in-task", of: "FuJacob/cotabby 294", .plain, .lifecycle, decides: "loadMore"
  ) {
    let results = await ModelResults(Version.current, ModelHub())
    await results.loadMore()
    await results.loadMore()
    await results.settled()
    let names = await results.names
    try expect(names == Set(names).sorted(), "each model is in the list once: \(names)")
  }

  /// The second formulation, after the first was seen to pass: a task of the main actor begins before the next call there, unless
  /// both calls are in one update of the screen.
  static let loadingFlagInOneUpdate = Case(
    "loading-flag-in-one-update", of: "FuJacob/cotabby 294", .plain, .lifecycle, decides: "loadMore"
  ) {
    let results = await ModelResults(Version.current, ModelHub())
    await MainActor.run {
      results.loadMore()
      results.loadMore()
    }
    await results.settled()
    let names = await results.names
    try expect(names == Set(names).sorted(), "each model is in the list once: \(names)")
  }
}

private actor ModelHub {
  func page(from offset: Int) -> [String] { offset == 0 ? ["a", "b"] : [] }
}

@MainActor private final class ModelResults {
  private let version: Case.Version
  private let hub: ModelHub
  private(set) var names: [String] = []
  private var isLoadingMore = false
  private var loads: [Task<Void, Never>] = []

  init(_ version: Case.Version, _ hub: ModelHub) {
    self.version = version
    self.hub = hub
  }

  func loadMore() {
    guard !isLoadingMore else { return }
    if version == .after { isLoadingMore = true }
    loads.append(
      Task {
        isLoadingMore = true
        defer { isLoadingMore = false }
        names += await hub.page(from: names.count)
      })
  }

  func settled() async { for load in loads { await load.value } }
}
