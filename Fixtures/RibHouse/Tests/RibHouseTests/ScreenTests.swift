// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@MainActor
@Suite struct ScreenTests {
  @Test func `the back button pops the menu before its napkin hears of it`() async {
    let (table, menu, listener) = (LoggedInViewController(), MenuViewController(), BackListener())
    menu.listener = listener
    table.showMenu(menu)
    #expect(table.keys.map(\.character) == ["n", "f", "b", "o"])
    table.keys.first { $0.character == "b" }?.press()
    #expect(table.menu == nil)
    #expect(await listener.recorder.events(atLeast: 1) == ["back"])
    table.goBack()
    #expect(listener.events == ["back"])
  }

  @Test func `a frame of 40 columns and 10 rows has all keys, and of the rest what fits`() {
    let screen = ["  * Today: pulled pork, a pound, $16.00 *", "", "  Good to see you, Smokey Joe.", "", "  Brisket"]
    let keys = ["[c] close", "[d] dismiss", "[m] menu", "[o] log out", "[q] quit"]
    let tree = ["● Launch", "└─ ● LoggedIn", "   ├─ ● Announcements", "   └─ ● PitBoard"]
    let small = Frame(screen: screen, keys: keys, tree: tree, columns: 40, rows: 10).lines
    #expect(small.count <= 10 && small.allSatisfy { $0.count <= 40 })
    #expect(small.contains("  [c] close  [d] dismiss  [m] menu") && small.contains("  [o] log out  [q] quit"))
    #expect(small.contains("  Brisket"))
    let tiny = Frame(screen: screen, keys: keys, tree: tree, columns: 40, rows: 4).lines
    #expect(tiny.count == 4 && tiny.last == "  [o] log out  [q] quit")
    let large = Frame(screen: screen, keys: keys, tree: tree, columns: .max, rows: .max).lines
    #expect(large.contains("  [c] close  [d] dismiss  [m] menu  [o] log out  [q] quit"))
    #expect(large.last == "     └─ ● PitBoard")
  }

  @Test func `the door offers to log in until a login is under way`() async {
    let door = LoggedOutViewController()
    #expect(door.keys.map(\.character) == ["l"])
    await door.present(.waiting)
    #expect(door.keys.isEmpty)
    await door.present(.refused)
    #expect(door.keys.map(\.character) == ["l"])
  }

  @Test func `a banner stands above the welcome and can be dismissed`() async {
    let table = LoggedInViewController()
    await table.presentGuest(Guest(name: "Ada"))
    await table.presentBanner(Special(dish: "cornbread", price: 305))
    #expect(table.lines == ["  * Today: cornbread, $3.05 *", "", "  Good to see you, Ada.", ""])
    #expect(table.keys.map(\.character) == ["d", "p", "m", "o"])
  }

  @Test func `a table with a pit board takes the keys of both`() async {
    let table = LoggedInViewController()
    table.showPitBoard(PitBoardViewController())
    #expect(table.keys.map(\.character) == ["c", "m", "o"])
    table.showPitBoard(nil)
    #expect(table.keys.map(\.character) == ["p", "m", "o"])
  }

  @Test func `the board draws how far a cut is, and when it is done`() async {
    let board = PitBoardViewController()
    await board.presentCuts([
      Cut(name: "Brisket", temperature: 48, target: 96), Cut(name: "Ribs", temperature: 92, target: 92),
    ])
    #expect(
      board.lines == [
        "  Brisket    ####----  48 of 96 °C", "  Ribs       ########  92 of 92 °C  done", "",
      ])
  }
}

private final class BackListener: MenuPresentableListener, Recording {
  let recorder = Recorder<String>()
  func didTapNext() async { record("next") }
  func didTapOrder() async { record("order") }
  func didGoBack() async { record("back") }
}
