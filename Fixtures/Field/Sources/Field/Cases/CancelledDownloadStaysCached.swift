// SPDX-License-Identifier: Apache-2.0

// A service keeps the task of a download in its cache, for others that want the same image. To cancel a download leaves
// the task there until its first caller hears of it: a download that begins in between waits for the cancelled one.
//
// The repair removes the task from the cache where it is cancelled.
extension Case {
  static let cancelledDownloadStaysCached = Case(
    "cancelled-download-stays-cached", of: "Automattic/Gravatar-SDK-iOS 276",
    .plain, .cancellation, decides: "image cancel"
  ) {
    let service = ImageDownloadService(Version.current)
    let first = Task { try? await service.image(of: "ada") }
    await service.cancel("ada")
    let image = try? await service.image(of: "ada")
    try expect(image != nil, "an image is loaded anew after its download was cancelled")
    _ = await first.value
  }
}

private actor ImageCache {
  enum Entry {
    case inProgress(Task<String, any Error>)
    case ready(String)
  }
  private var entries: [String: Entry] = [:]

  func entry(for name: String) -> Entry? { entries[name] }
  func set(_ entry: Entry?, for name: String) { entries[name] = entry }
}

private struct ImageDownloadService {
  private let version: Case.Version
  private let cache = ImageCache()

  init(_ version: Case.Version) { self.version = version }

  func image(of name: String) async throws -> String {
    switch await cache.entry(for: name) {
    case .ready(let image): return image
    case .inProgress(let task): return try await task.value
    case nil: break
    }
    let task = Task {
      try await Task.sleep(for: .milliseconds(20))
      return "\(name).png"
    }
    await cache.set(.inProgress(task), for: name)
    do {
      let image = try await task.value
      await cache.set(.ready(image), for: name)
      return image
    } catch {
      await cache.set(nil, for: name)
      throw error
    }
  }

  func cancel(_ name: String) async {
    guard case .inProgress(let task) = await cache.entry(for: name) else { return }
    task.cancel()
    if version == .after { await cache.set(nil, for: name) }
  }
}
