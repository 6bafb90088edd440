// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RibHouse

@MainActor
@Suite struct ScreenTests {
  @Test func `the door offers to log in until somebody waits there`() async {
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
    #expect(table.keys.map(\.character) == ["d", "p", "o"])
  }

  @Test func `a table with a pit board takes the keys of both`() async {
    let table = LoggedInViewController()
    table.showPitBoard(PitBoardViewController())
    #expect(table.keys.map(\.character) == ["c", "o"])
    table.hidePitBoard()
    #expect(table.keys.map(\.character) == ["p", "o"])
  }

  @Test func `the board draws how far a cut is, and when it is done`() async {
    let board = PitBoardViewController()
    await board.presentCuts([
      Cut(name: "Brisket", temperature: 48, target: 96), Cut(name: "Ribs", temperature: 92, target: 92),
    ])
    #expect(
      board.lines == [
        "  Brisket     #####-----  48 of 96 °C", "  Ribs        ##########  92 of 92 °C  done", "",
      ])
  }
}
