// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@MainActor
@Suite struct RetainPathFinderTests {
  private final class Cell {}

  private class Holder {
    var cell: Cell?
    weak var listener: Cell?
    unowned(unsafe) var user: Cell?
    var cells: [Cell] = []
    var table: [String: any AnyObject] = [:]
    var next: Holder?
    var box: (first: Int, second: any AnyObject)?
  }

  private final class Heir: Holder {
    var heirloom: Cell?
    var references: References?
  }

  private struct References {
    unowned var user: Cell
    weak var listener: Cell?
    var known: Cell?
  }

  private func holder(of cell: Cell, in root: AnyObject) -> String? {
    RetainPathFinder.holders(of: [(ObjectIdentifier(root), "root"), (ObjectIdentifier(cell), "cell")])[
      ObjectIdentifier(cell)]?.path
  }

  @Test func `a property that holds an object is named`() {
    let (root, cell) = (Holder(), Cell())
    root.cell = cell
    #expect(holder(of: cell, in: root) == "root.cell")
  }

  @Test func `a weak property holds nothing, nor does an unowned one`() {
    let (root, cell) = (Holder(), Cell())
    root.listener = cell
    root.user = cell
    #expect(holder(of: cell, in: root) == nil)
  }

  @Test func `nor do those of a value, and what an unowned one refers to may be gone`() {
    let (root, cell) = (Heir(), Cell())
    root.references = References(user: Cell(), listener: cell)
    #expect(holder(of: cell, in: root) == nil)
    root.references?.known = cell
    #expect(holder(of: cell, in: root) == "root.references.known")
  }

  @Test func `the shortest path is found, through collections and other objects`() {
    let (root, cell) = (Holder(), Cell())
    root.next = Holder()
    root.next?.next = Holder()
    root.next?.next?.cell = cell
    #expect(holder(of: cell, in: root) == "root.next.next.cell")
    root.next?.cells = [Cell(), cell]
    #expect(holder(of: cell, in: root) == "root.next.cells[1]")
    root.table["it"] = cell
    #expect(holder(of: cell, in: root) == "root.table[0]")
  }

  @Test func `a property of a subclass is found, and one inside a tuple`() {
    let (heir, cell) = (Heir(), Cell())
    heir.heirloom = cell
    #expect(holder(of: cell, in: heir) == "root.heirloom")
    heir.heirloom = nil
    heir.box = (1, cell)
    #expect(holder(of: cell, in: heir) == "root.box")
  }

  @Test func `a circle of objects is walked once`() {
    let (root, cell) = (Holder(), Cell())
    root.next = Holder()
    root.next?.next = root
    #expect(holder(of: cell, in: root) == nil)
    let holder = RetainPathFinder.holders(of: [(ObjectIdentifier(root), "root")])[ObjectIdentifier(root)]
    #expect(holder?.path == "root.next.next")
    root.next = nil
  }

  @Test func `a parent retains its children, and a strong reference back is a cycle`() async {
    let home = HomeRouter(interactor: HomeInteractor())
    let profile = Router(interactor: ProfileInteractor())
    await home.attachChild(profile)
    await home.interactor.hold(home)
    let found = RetainPathFinder.holders(of: [(ObjectIdentifier(home), "home"), (ObjectIdentifier(profile), "profile")])
    #expect(found[ObjectIdentifier(profile)]?.path == "home.children[0]")
    #expect(found[ObjectIdentifier(home)]?.path == "home.interactor.router")
    await home.interactor.hold(nil)
  }
}
