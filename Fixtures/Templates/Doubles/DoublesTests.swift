// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting
import Testing

@testable import App

// What `napkin doubles` has written is used as doubles by hand are.
@Suite struct DoublesTests {
  @Test func `functions that return nothing are recorded, others have stubs`() async throws {
    let shop = ShopMock(customerDefault: Customer(name: "a stranger"))
    await shop.close()
    shop.close(after: .seconds(1), in: "here")
    await shop.notify(1, 2) { _ in }
    #expect(shop.recorder.count == 3)
    shop.searchStub.returns([Customer(name: "Joe")])
    #expect(try await shop.search("J", page: 2) == [Customer(name: "Joe")])
    #expect(shop.searchStub.calls == [("J", 2)])
    #expect(await shop.greet(nil) == false)
    #expect(try shop.default(URL(filePath: "/")) == nil)
  }

  @Test func `typed errors come through`() async {
    let shop = ShopMock(customerDefault: Customer(name: "a stranger"))
    shop.refuseStub.throws(Refusal.isFull)
    #expect(throws: Refusal.isFull) { try shop.refuse(1) }
    #expect((try? await shop.logIn(name: "a", password: "b")) == [])
  }

  @Test func `accessors, subscripts and static members have stubs`() async throws {
    let shop = ShopMock(customerDefault: Customer(name: "a stranger"))
    shop.title = "Ribs"
    #expect(shop.title == "Ribs")
    shop[3] = "three"
    #expect(shop[3] == "three")
    shop.remoteStub.returns(7)
    #expect(try await shop.remote == 7)
    ShopMock.makeStub.returns(2)
    #expect(ShopMock.make(1) == 2)
  }

  @Test func `generic functions answer with a value of the type`() async throws {
    let decoding = DecodingMock()
    decoding.decodeStub.returns(7)
    #expect(try decoding.decode(Int.self, from: "7") == 7)
    decoding.convertStub.answers { $0.0 }
    #expect(await decoding.convert("a", with: 1) == "a")
  }

  @Test func `associated types are generic parameters`() async throws {
    let shelf = ShelfMock<Int, String>()
    shelf.put([1, 2], as: "x")
    #expect(shelf.recorder.count == 2)
    #expect(try await shelf.take() == nil)
    #expect(shelf.items == [])
  }

  @Test @MainActor func `an actor, a panel and a napkin's parts have doubles, too`() async throws {
    let ledger = LedgerMock()
    await ledger.note(3)
    #expect(ledger.events == [.note(3)])
    let panel = WidePanelMock(customer: Customer(name: "Joe"))
    await panel.widen(by: 2)
    panel.show(nil)
    #expect(panel.events == [.widen(2), .show(nil)])
    let listener = PanelListenerMock()
    await listener.panel(didMoveTo: 1, y: 2)
    #expect(listener.events == [.panel(x: 1, y: 2)])
    let router = NightRoutingMock()
    await router.routeToNight(3)
    #expect(router.routeToNightStub.calls == [3])
    let dependency = NightDependencyMock(
      customerValue: Customer(name: "Joe"), shopValue: ShopMock(customerDefault: Customer(name: "a stranger")))
    #expect(dependency.customer == Customer(name: "Joe"))
    #expect(dependency.reads == ["customer"])
    let builder = NightBuildableMock { _ in router }
    _ = await builder.build(withListener: listener, hour: 4)
    #expect(builder.arguments.first?.1 == 4)
    let view = NightViewControllableMock()
    view.dim(to: 0.5)
    #expect(await view.undim() == false)
    let presenter = NightPresentableMock()
    await presenter.present(1)
    #expect(presenter.events == [.present(1)])
  }
}
