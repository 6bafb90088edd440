// SPDX-License-Identifier: Apache-2.0
#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Napkin
import RibHouse

/// Shows the house on macOS: the lines of its screen as text, and the keys of the keyboard as its keys.
///
/// It is the application's delegate as well, which the system hands its links to.
public final class HouseViewController: NSViewController, NSApplicationDelegate, LaunchWindow {
  private let label = NSTextField(labelWithString: "")
  private var root: Screen?
  private let house = Task { await buildHouse() }
  private var refreshing: Task<Void, Never>?

  public override func loadView() {
    view = label
  }

  public override func viewDidAppear() {
    super.viewDidAppear()
    refreshing = Task { [weak self] in
      while !Task.isCancelled {
        self?.refresh()
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  public override func viewDidDisappear() {
    super.viewDidDisappear()
    refreshing?.cancel()
  }

  /// Builds the house and brings it up here.
  public func open() async { await house.value.launch(from: self) }

  /// Opens the links that the system has for the app; one that leads nowhere is ignored.
  public func application(_ application: NSApplication, open urls: [URL]) {
    for link in urls.compactMap({ DeepLink($0.absoluteString) }) {
      dispatch { [house] in await house.value.open(link) }
    }
  }

  /// Takes the root's screen, which is drawn from then on.
  public func show(root: any ViewControllable) {
    self.root = root as? Screen
  }

  public override func keyDown(with event: NSEvent) {
    guard let key = root?.keys.first(where: { String($0.character) == event.characters }) else {
      return super.keyDown(with: event)
    }
    key.press()
  }

  private func refresh() {
    let keys = (root?.keys ?? []).map { "[\($0.character)] \($0.label)" }
    label.stringValue = ((root?.lines ?? []) + keys).joined(separator: "\n")
  }
}
#endif
