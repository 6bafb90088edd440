// SPDX-License-Identifier: Apache-2.0

// A child that closes itself calls its listener from a task. The parent may detach the child while that call is on its way,
// show the next one, and then closes the next one by the late call.
//
// The repair hears a child only while it is the one that is attached.
extension Case {
  static let heardAfterDetach = Case(
    "heard-after-detach", of: "WikipediaBrown/napkin (5e6577a)",
    .plain, .lifecycle, decides: "didClose"
  ) {
    let version = Version.current
    let home = await Home(version)
    let first = await home.show("profile")
    let call = await first.didTapClose()
    _ = await home.show("settings")
    await call.value
    let shown = await home.shown
    try expect(shown == "settings", "what was shown last stays: \(shown ?? "nothing")")
  }
}

@MainActor private final class Home {
  private let version: Case.Version
  private var child: Child?

  init(_ version: Case.Version) { self.version = version }

  var shown: String? { child?.name }

  func show(_ name: String) -> Child {
    let child = Child(name, listener: self)
    self.child = child
    return child
  }

  func didClose(_ closed: Child) {
    if version == .before || closed === child { child = nil }
  }
}

private actor Child {
  nonisolated let name: String
  private weak var listener: Home?

  init(_ name: String, listener: Home) {
    self.name = name
    self.listener = listener
  }

  func didTapClose() -> Task<Void, Never> { Task { await listener?.didClose(self) } }
}
