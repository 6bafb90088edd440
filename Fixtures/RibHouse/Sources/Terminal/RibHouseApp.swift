// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import RibHouse

/// The Rib House in a terminal: draws the screen and the tree of napkins, and takes keys.
///
/// Keys may be piped in. A script is read as fast as the app goes: each key waits until a screen takes it.
@main
struct RibHouseApp {
  @MainActor
  static func main() async {
    let window = TerminalWindow()
    let house = await buildHouse()
    await house.launch(from: window)
    let keyboard = Keyboard()
    let stuckKey = await keyboard.whileOpen {
      await run(house, window: window, keyboard: keyboard, display: Display(isInteractive: keyboard.isInteractive))
    }
    if let stuckKey {
      FileHandle.standardError.write(
        Data("rib-house: no screen took the key \"\(stuckKey)\" within \(patience).\n".utf8))
      exit(1)
    }
  }

  /// How long a key of a script waits for its screen; the slowest of them, a special, comes after four seconds.
  private static let patience = Duration.seconds(20)

  /// Draws twenty frames a second until somebody quits, and returns a key that nothing took.
  @MainActor
  private static func run(
    _ house: any Routing, window: TerminalWindow, keyboard: Keyboard, display: Display
  ) async -> Character? {
    var display = display
    display.open()
    defer { display.close() }
    var waitingSince = ContinuousClock.now
    while true {
      let screen = window.rootScreen
      let keys = screen?.keys ?? []
      let help = keys.map { "[\($0.character)] \($0.label)" } + ["[q] quit"]
      display.draw(
        ["  THE RIB HOUSE"] + (screen?.lines ?? []) + ["  " + help.joined(separator: "  "), ""]
          + (await TreeText.lines(of: house)).map { "  " + $0 })

      if let typed = keyboard.next {
        if typed == "q" { return nil }
        if let key = keys.first(where: { $0.character == typed }) {
          display.echo(typed)
          key.press()
        }
        if keyboard.isInteractive || keys.contains(where: { $0.character == typed }) {
          keyboard.take()
          waitingSince = .now
        } else if ContinuousClock.now - waitingSince > patience {
          return typed
        }
      } else {
        waitingSince = .now
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
