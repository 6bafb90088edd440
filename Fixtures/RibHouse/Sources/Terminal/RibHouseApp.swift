// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import RibHouse

/// The Rib House in a terminal: draws the screen and the tree of napkins, and takes keys.
///
/// The key `t` shows the tree of the running app in full, as a `TreeObserver` sees it, and the screen again. A debug build
/// reports what is not released on the standard error.
///
/// An argument is a link to open: `rib-house ribhouse://menu/Brisket`. So is what is typed after the key `g`, up to return.
/// Keys may be piped in. A script is read as fast as the app goes: each key waits until a screen takes it.
@main
struct RibHouseApp {
  @MainActor
  static func main() async {
    let links = CommandLine.arguments.dropFirst().map { text -> DeepLink in
      guard let link = DeepLink(text) else {
        stop("\(text) is no link. There is ribhouse://menu and ribhouse://menu/DISH.")
      }
      return link
    }
    let window = TerminalWindow()
    let observer = TreeObserver()
    #if DEBUG
    observer.watchLeaks { report("\($0)") }
    #endif
    let house = await buildHouse()
    await house.launch(from: window)
    for link in links { await house.open(link) }
    let keyboard = Keyboard()
    let stuckKey = await keyboard.whileOpen {
      await run(
        house, observer, window: window, keyboard: keyboard, display: Display(isInteractive: keyboard.isInteractive))
    }
    if let stuckKey { stop("no screen took the key \"\(stuckKey)\" within \(timeout).") }
  }

  private static func stop(_ message: String) -> Never {
    report(message)
    exit(1)
  }

  private static func report(_ message: String) {
    FileHandle.standardError.write(Data("rib-house: \(message)\n".utf8))
  }

  /// How long a key of a script waits for its screen; the slowest of them, a special, comes after four seconds.
  private static let timeout = Duration.seconds(20)

  /// Draws twenty frames a second until the user quits, and returns a key that nothing took.
  @MainActor
  private static func run(
    _ house: any HouseRouting, _ observer: TreeObserver, window: TerminalWindow, keyboard: Keyboard, display: Display
  ) async -> Character? {
    var display = display
    display.open()
    defer { display.close() }
    var own = OwnKeys()
    var waitingSince = ContinuousClock.now
    while true {
      let screen = window.rootScreen
      let keys = screen?.keys ?? []
      let size = display.size
      let frame = Frame(
        screen: screen?.lines ?? [], keys: keys.map { "[\($0.character)] \($0.label)" } + own.labels,
        tree: await TreeText.lines(of: house), columns: size.columns, rows: size.rows)
      let tree = observer.snapshot(of: house).description.split(separator: "\n").prefix(size.rows)
      display.draw(own.isTreeShown ? tree.map { String($0.prefix(size.columns)) } : frame.lines)

      if let typed = keyboard.next {
        if own.ends(typed) { return nil }
        if own.takes(typed, open: { link in dispatch { await house.open(link) } }) {
          display.echo(typed)
          keyboard.take()
          waitingSince = .now
          continue
        }
        if let key = keys.first(where: { $0.character == typed }) {
          display.echo(typed)
          key.press()
        }
        if keyboard.isInteractive || keys.contains(where: { $0.character == typed }) {
          keyboard.take()
          waitingSince = .now
        } else if ContinuousClock.now - waitingSince > timeout {
          return typed
        }
      } else {
        waitingSince = .now
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
