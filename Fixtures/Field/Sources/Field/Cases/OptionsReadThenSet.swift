// SPDX-License-Identifier: Apache-2.0
import Dispatch

// The default options of a downloader are guarded by a serial queue. Adding one reads them in a `queue.sync` and sets them
// in another, so of two that are added at once one is lost.
//
// The repair changes them in one `queue.sync`.
extension Case {
  static let optionsReadThenSet = Case(
    "options-read-then-set", of: "onevcat/Kingfisher (c992a315 ← c5e09d4e)",
    .split, .lock, decides: "add"
  ) {
    let version = Version.current
    let manager = ImageManager(version)
    let first = Task { manager.add("scale") }
    let second = Task { manager.add("retry") }
    await first.value
    await second.value
    try expect(manager.options.count == 2, "both options are there: \(manager.options)")
  }
}

private final class ImageManager: @unchecked Sendable {
  private let version: Case.Version
  private let queue = DispatchQueue(label: "options")
  private var stored: [String] = []

  init(_ version: Case.Version) { self.version = version }

  var options: [String] {
    get { queue.sync { stored } }
    set { queue.sync { stored = newValue } }
  }

  func add(_ option: String) {
    switch version {
    case .before: options += [option]
    case .after: queue.sync { stored.append(option) }
    }
  }
}
