// SPDX-License-Identifier: Apache-2.0
import Synchronization

// An image task is started by a task on the pipeline's actor, and its cancellation comes there by another one. A task that
// is cancelled right after it was made is started first, so it opens a connection to load nothing.
//
// The repair looks under the lock of the image task whether it was cancelled, before any work is made.
extension Case {
  static let cancelledTaskStartsWork = Case(
    "cancelled-task-starts-work", of: "kean/Nuke 973 (c4fc70af)", .plain, .cancellation, decides: "cancel start"
  ) {
    let loader = FakeLoader()
    let pipeline = ThumbnailPipeline(Version.current, loader)
    let thumbnail = pipeline.thumbnail(of: "beach.jpg")
    let wasNew = thumbnail.cancel()
    await thumbnail.finished()
    let opened = await loader.opened
    try expect(!wasNew || opened == [], "a thumbnail that was cancelled at once loads nothing: \(opened)")
  }
}

private actor FakeLoader {
  private(set) var opened: [String] = []

  func open(_ name: String) { opened.append(name) }
  func close(_ name: String) {}
}

private final class Thumbnail: Sendable {
  enum Phase { case new, started, over }

  let name: String
  private let pipeline: ThumbnailPipeline
  private let state = Mutex<(phase: Phase, waiting: [CheckedContinuation<Void, Never>])>((.new, []))

  init(_ name: String, _ pipeline: ThumbnailPipeline) {
    self.name = name
    self.pipeline = pipeline
  }

  /// Whether it had not been started.
  @discardableResult func cancel() -> Bool {
    if pipeline.version == .after, end(from: .new) { return true }
    let wasNew = state.withLock { $0.phase == .new }
    Task { await pipeline.cancel(self) }
    return wasNew
  }

  /// Whether it goes on to be loaded.
  func begins() -> Bool {
    state.withLock { state in
      guard state.phase == .new else { return false }
      state.phase = .started
      return true
    }
  }

  /// Ends it, if it is in that phase.
  @discardableResult func end(from phase: Phase) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
      guard state.phase == phase else { return nil }
      state.phase = .over
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting ?? [] { one.resume() }
    return waiting != nil
  }

  func finished() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.phase != .over { state.waiting.append(continuation) }
        return state.phase == .over
      }
      if isOver { continuation.resume() }
    }
  }
}

private actor ThumbnailPipeline {
  let version: Case.Version
  private let loader: FakeLoader

  init(_ version: Case.Version, _ loader: FakeLoader) {
    self.version = version
    self.loader = loader
  }

  nonisolated func thumbnail(of name: String) -> Thumbnail {
    let thumbnail = Thumbnail(name, self)
    Task { await start(thumbnail) }
    return thumbnail
  }

  private func start(_ thumbnail: Thumbnail) async {
    guard thumbnail.begins() else { return }
    await loader.open(thumbnail.name)
    thumbnail.end(from: .started)
  }

  func cancel(_ thumbnail: Thumbnail) async {
    await loader.close(thumbnail.name)
    if !thumbnail.end(from: .started) { thumbnail.end(from: .new) }
  }
}
