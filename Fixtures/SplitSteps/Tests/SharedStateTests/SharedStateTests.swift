// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import XCTest

// Each test comes to one variable, and its partner in the other suite to the same one.

@Suite struct First {
  @Test func visits() { SharedStateTests.visits += 1 }
  @Test func onlyRead() { #expect(SharedStateTests.onlyRead == 7) }
  @Test func own() { ownOfFirst += 1 }
  @Test func table() { #expect(SharedStateTests.table["a"] == 1) }
  @Test func depth() { $depth.withValue(1) { #expect(SharedStateTests.depth == 1) } }
  @Test func current() { Settings.current = Settings() }
  @Test func region() async { await Task { Settings.region = "de_DE" }.value }
  @Test func showsGerman() { Settings.shared.locale = "de" }
  @Test func size() { Settings.shared.size.height += 1 }
  @Test func isBold() { Settings.shared.isBold.toggle() }
  @Test func isItalic() { #expect(Settings.shared.isItalic) }
  @Test func title() { Settings.shared.title = nil }
  @Test func recent() { Settings.shared.recent.append(2) }
  @Test func pages() { Settings.shared.pages[2] = "two" }
  @Test func mode() { Settings.shared.mode = .dark }
  @Test func observed() { Settings.shared.observed += 1 }
  @Test func volume() { Settings.shared.volume = 9 }
  @Test func delegate() { Settings.shared.delegate = Settings.shared }
  @Test func secret() { Settings.shared.reveal() }
  @Test func inBase() { Settings.shared.child.inBase += 1 }
  @Test func inChild() { Settings.shared.child.inChild += 1 }
  @Test func item() { shelf.item = "record" }
  @Test func underLock() { Settings.shared.lock.withLock { Settings.shared.underLock += 1 } }
  @Test func underLockOfOne() { Settings.shared.lock.withLock { Settings.shared.underLockOfOne += 1 } }
  @Test func formatter() { #expect(Settings.shared.formatter.count == 2) }
  @Test func never() { #expect(Settings.shared.never == [1, 2]) }
  @Test func count() async { await Store.shared.add() }
  @Test @MainActor func opened() { Screen.opened += 1 }
  @Test @MainActor func name() { Screen.shared.name = "detail" }
  @Test func underTwoLocks() {
    Settings.shared.lock.withLock { Settings.shared.innerLock.withLock { Settings.shared.underTwoLocks += 1 } }
  }
  @Test func oneAndOther() { (Settings.shared.one, Settings.shared.other) = (2, 2) }
  @Test func madeOnce() { #expect(MadeOnce.shared.appended.count + MadeOnce.shared.setByMethod == 4) }
  @Test func madeActor() async { #expect(await MadeActor.shared.added == 3) }
  @Test func changedLater() { MadeOnce.shared.changedLater.append(3) }
  @Test func leafA() { leaves[0].ofFour += 1 }
  @Test func leafB() { leaves[1].ofFour += 1 }
  @Test func leafC() { leaves[2].ofFour += 1 }
  @Test func leafD() { leaves[3].ofFour += 1 }
  @Test func wrapped() { wrap.inner.inWrapped += 1 }
  @Test func inMaybe() { maybe?.inMaybe += 1 }
  @Test func held() { IntRack.shared.held = 3 }
  @Test func mutex() { inMutex.withLock { $0 = ["b"] } }
  @Test(arguments: 0..<50) func value(_: Int) { #expect(Own().work() == 4) }
}

@Suite struct Second {
  @Test func visits() { #expect(SharedStateTests.visits > 0) }
  @Test func onlyRead() { #expect(SharedStateTests.onlyRead == 7) }
  @Test func own() { #expect(SharedStateTests.table["b"] == 2) }
  @Test func depth() { #expect(SharedStateTests.depth == 0) }
  @Test func current() { #expect(Settings.current.never.count == 2) }
  @Test func region() { #expect(!Settings.region.isEmpty) }
  @Test func defaultsToEnglish() { #expect(!Settings.shared.locale.isEmpty) }
  @Test func size() { #expect(Settings.shared.size.width == 1) }
  @Test func isBold() { Settings.shared.isBold.toggle() }
  @Test func isItalic() { #expect(Settings.shared.isItalic) }
  @Test func title() { #expect(Settings.shared.title != "Other") }
  @Test func recent() { #expect(!Settings.shared.recent.isEmpty) }
  @Test func pages() { #expect(Settings.shared.pages[1] == "one") }
  @Test func mode() { Settings.shared.mode = .light }
  @Test func observed() { Settings.shared.observed += 1 }
  @Test func volume() { #expect(Settings.shared.volume > 0) }
  @Test func delegate() { Settings.shared.delegate = nil }
  @Test func secret() { #expect(Settings.shared.secret > 0) }
  @Test func inBase() { #expect(Settings.shared.child.inBase > 0) }
  @Test func inChild() { #expect(Settings.shared.child.inChild > 0) }
  @Test func item() { #expect(!shelf.item.isEmpty) }
  @Test func underLock() { Settings.shared.lock.withLock { Settings.shared.underLock += 1 } }
  @Test func underLockOfOne() { #expect(Settings.shared.underLockOfOne > 0) }
  @Test func formatter() { #expect(Settings.shared.formatter.count == 2) }
  @Test func never() { #expect(Settings.shared.never == [1, 2]) }
  @Test func count() async { #expect(await Store.shared.count > 0) }
  @Test @MainActor func opened() { #expect(Screen.opened > 0) }
  @Test @MainActor func name() { #expect(!Screen.shared.name.isEmpty) }
  @Test func underTwoLocks() { Settings.shared.lock.withLock { Settings.shared.underTwoLocks += 1 } }
  @Test func oneAndOther() { #expect(Settings.shared.one + Settings.shared.other > 1) }
  @Test func madeOnce() { #expect(MadeOnce.shared.appended.count + MadeOnce.shared.setByMethod == 4) }
  @Test func madeActor() async { #expect(await MadeActor.shared.added == 3) }
  @Test func changedLater() { #expect(MadeOnce.shared.changedLater.count > 1) }
  @Test func leafA() { leaves[0].ofFour += 1 }
  @Test func leafB() { leaves[1].ofFour += 1 }
  @Test func leafC() { #expect(leaves[2].ofFour > 0) }
  @Test func leafD() { #expect(leaves[3].ofFour > 0) }
  @Test func wrapped() { #expect(wrap.inner.inWrapped > 0) }
  @Test func inMaybe() { #expect(maybe?.inMaybe != 0) }
  @Test func held() { #expect(IntRack.shared.held != 0) }
  @Test func mutex() { inMutex.withLock { #expect(!$0.isEmpty) } }
  @Test(arguments: 0..<50) func value(_: Int) { #expect(Own().work() == 4) }
}

// The first test fills what the others read: in another order, another one would.
@Suite(.serialized) struct Third {
  @Test func fills() {
    Settings.shared.cache = [1]
    Settings.shared.left = "behind"
    Settings.shared.lock.withLock { Settings.shared.kept = [1] }
  }
  @Test func reads() {
    #expect(Settings.shared.cache != [] && Settings.shared.left != "")
    #expect(Settings.shared.lock.withLock { Settings.shared.kept } != [])
  }
}

// No test of XCTest is heard of.
final class Cases: XCTestCase {
  func testVisits() { SharedStateTests.visits += 1 }
}
