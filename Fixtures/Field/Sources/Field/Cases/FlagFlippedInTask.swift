// SPDX-License-Identifier: Apache-2.0

// A test notes in a task of its own that a download has started, since its flag is an actor. The download completes, and
// another task looks at the flag, which the first may not have set.
//
// The bug is in the test. The repair notes the start at once, behind a lock.
import Synchronization

extension Case {
  static let flagFlippedInTask = Case(
    "flag-flipped-in-task", of: "onevcat/Kingfisher 2456", .plain, decides: "raise"
  ) {
    let version = Version.current
    let (flag, locked) = (Flag(), Locked())
    let downloader = ImageDownloader { name in
      if version == .after { return locked.raise() }
      Task { await flag.raise() }
    }
    let image = await downloader.download("onevcat")
    let hasStarted = version == .after ? locked.isRaised : await flag.isRaised
    try expect(image == "onevcat.jpg" && hasStarted, "a download that has ended has started")
  }
}

private actor Flag {
  private(set) var isRaised = false
  func raise() { isRaised = true }
}

private final class Locked: Sendable {
  private let value = Mutex(false)
  var isRaised: Bool { value.withLock { $0 } }
  func raise() { value.withLock { $0 = true } }
}

private actor ImageDownloader {
  private let onStart: @Sendable (String) -> Void

  init(onStart: @escaping @Sendable (String) -> Void) { self.onStart = onStart }

  func download(_ name: String) async -> String {
    let address = await modified(name)
    onStart(address)
    await Task.yield()
    return "\(address).jpg"
  }

  /// A request that is changed by an asynchronous modifier.
  private func modified(_ name: String) async -> String {
    await Task.yield()
    return name
  }
}
