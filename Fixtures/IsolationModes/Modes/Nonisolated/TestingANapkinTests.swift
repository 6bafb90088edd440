// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing
import XCTest

// The feature that the recipes test, as an app would write it.

protocol BasketListener: AnyObject, Sendable { func basketDidClose() async }
nonisolated protocol PriceService: Sendable {
  func total() async throws -> Int
  func prices() -> AsyncStream<Int>
}
@MainActor protocol BasketRouting: Routing {
  func routeToCheckout() async
  func routeBackFromCheckout() async
}
protocol BasketPresentable: Presentable, Sendable { func present(total: Int) async }
protocol BasketDependency: Dependency { var prices: any PriceService { get } }
protocol CheckoutListener: AnyObject, Sendable { func checkoutDidFinish() async }
@MainActor protocol CheckoutRouting: Routing {}
protocol CheckoutBuildable: Buildable {
  @MainActor func build(withListener listener: any CheckoutListener) async -> any CheckoutRouting
}

final actor BasketInteractor: PresentableInteractable, CheckoutListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any BasketPresentable
  private weak var router: (any BasketRouting)?
  private weak var listener: (any BasketListener)?
  private let service: any PriceService

  init(presenter: any BasketPresentable, service: any PriceService) {
    self.presenter = presenter
    self.service = service
  }

  func wire(router: (any BasketRouting)?, listener: (any BasketListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [presenter, service] in
      for await total in service.prices() { await presenter.present(total: total) }
    }
  }

  func didTapRefresh() async {
    guard let total = try? await service.total() else { return }
    await presenter.present(total: total)
  }

  func didTapCheckout() async { await router?.routeToCheckout() }
  func didTapClose() async { await listener?.basketDidClose() }

  func checkoutDidFinish() async {
    await router?.routeBackFromCheckout()
    await listener?.basketDidClose()
  }
}

@MainActor final class BasketRouter: Router<BasketInteractor>, BasketRouting {
  private let builder: any CheckoutBuildable
  private var checkout: (any CheckoutRouting)?
  private var isRouting = false

  init(interactor: BasketInteractor, builder: any CheckoutBuildable) {
    self.builder = builder
    super.init(interactor: interactor)
  }

  func routeToCheckout() async {
    guard checkout == nil, !isRouting else { return }
    isRouting = true
    let router = await builder.build(withListener: interactor)
    isRouting = false
    checkout = router
    await attachChild(router)
  }

  func routeBackFromCheckout() async {
    guard let router = checkout else { return }
    checkout = nil
    await detachChild(router)
  }
}

final class BasketBuilder: Builder<any BasketDependency>, @unchecked Sendable {
  @MainActor func build(withListener listener: any BasketListener) async -> any BasketRouting {
    let interactor = BasketInteractor(presenter: BasketPresentableMock(), service: dependency.prices)
    let router = BasketRouter(interactor: interactor, builder: CheckoutBuilderMock { _ in CheckoutRouterMock() })
    await interactor.wire(router: router, listener: listener)
    return router
  }
}

final class BasketListenerMock: BasketListener, RecordingListener {
  nonisolated enum Event: Equatable { case didClose }
  let recorder = Recorder<Event>()
  func basketDidClose() async { record(.didClose) }
}

@MainActor final class BasketPresentableMock: BasketPresentable, RecordingPresentable {
  nonisolated enum Event: Equatable { case total(Int) }
  let recorder = Recorder<Event>()
  func present(total: Int) async { record(.total(total)) }
}

struct PriceServiceMock: PriceService {
  let totalStub = Stub<Void, Int>()
  let pricesGate = Gate()
  func total() async throws -> Int { try await totalStub() }
  func prices() -> AsyncStream<Int> {
    AsyncStream {
      await pricesGate.pass()
      return nil
    }
  }
}

final class CheckoutRouterMock: MockRouter, CheckoutRouting {}

final class CheckoutBuilderMock: MockBuilder<any CheckoutListener, any CheckoutRouting>, CheckoutBuildable,
  @unchecked Sendable
{
  func build(withListener listener: any CheckoutListener) async -> any CheckoutRouting { await produce(listener) }
}

final class BasketDependencyMock: MockComponent, BasketDependency, @unchecked Sendable {
  var prices: any PriceService { provided { PriceServiceMock() } }
}

// What the recipes leave to the reader.

private struct Offline: Error {}

private struct FixedPrices: PriceService {
  let stream: AsyncStream<Int>
  func total() async throws -> Int { throw Offline() }
  func prices() -> AsyncStream<Int> { stream }
}

@MainActor private func basketPresentable() -> BasketPresentableMock { BasketPresentableMock() }

private struct Basket {
  let router: BasketRouter
  let interactor: BasketInteractor
  let builder: CheckoutBuilderMock
}

@MainActor private func makeBasket(
  buildingAt gate: Gate = Gate(isOpen: true), listener: BasketListenerMock = BasketListenerMock(),
  checkout: MockInteractor = MockInteractor()
) async -> Basket {
  let builder = CheckoutBuilderMock { _ in
    await gate.pass()
    return CheckoutRouterMock(interactor: checkout)
  }
  let interactor = BasketInteractor(presenter: BasketPresentableMock(), service: PriceServiceMock())
  let router = BasketRouter(interactor: interactor, builder: builder)
  await interactor.wire(router: router, listener: listener)
  return Basket(router: router, interactor: interactor, builder: builder)
}

private func ring(_ name: String, after delay: Duration, _ recorder: Recorder<String>) async throws {
  try await Task.sleep(for: delay)
  recorder.record(name)
}

@Suite(.leakChecked) struct TestingANapkinTests {
  @Test func `closing notifies the listener`() async {
    let listener = BasketListenerMock()
    let interactor = BasketInteractor(presenter: await basketPresentable(), service: PriceServiceMock())
    await interactor.wire(router: nil, listener: listener)
    await interactor.didTapClose()
    #expect(listener.events == [.didClose])
  }

  @Test func `a refresh that fails shows nothing, and the next one shows the total`() async {
    let presenter = await basketPresentable()
    let service = PriceServiceMock()
    service.totalStub.throws(Offline(), times: 1).returns(42)
    let interactor = BasketInteractor(presenter: presenter, service: service)
    await interactor.didTapRefresh()
    await interactor.didTapRefresh()
    #expect(presenter.events == [.total(42)])
    #expect(service.totalStub.calls.count == 2)
  }

  @Test @MainActor func `the checkout comes and goes`() async {
    let basket = await makeBasket()
    await basket.router.routeToCheckout()
    #expect(basket.builder.arguments.first === basket.interactor)
    await expectTree(
      of: basket.router,
      is: """
        BasketRouter (inactive)
        └─ CheckoutRouterMock (active)
        """)
    await basket.router.routeBackFromCheckout()
    await expectTree(of: basket.router, is: "BasketRouter (inactive)")
  }

  @Test func `a slow total does not hide a later one`() async throws {
    let exploration = await Explorer(executions: 100).run { @MainActor in
      let presenter = basketPresentable()
      let service = PriceServiceMock()
      service.totalStub.returns(inOrder: 41, 42).answersInAnyOrder(within: .seconds(3))
      let interactor = BasketInteractor(presenter: presenter, service: service)
      async let first: Void = interactor.didTapRefresh()
      async let second: Void = interactor.didTapRefresh()
      _ = await (first, second)
      #expect(presenter.events.last == .total(42))
    }
    #expect(exploration.failure != nil)
  }

  @Test @MainActor func `the builder asks for the prices and wires the router`() async {
    let dependency = BasketDependencyMock()
    let listener = BasketListenerMock()
    let router = await BasketBuilder(dependency: dependency).build(withListener: listener)
    #expect(dependency.reads == ["prices"])
    await router.routeToCheckout()
    #expect(router.children.count == 1)
  }

  @Test @MainActor func `a finished checkout is gone before the basket closes`() async {
    let listener = BasketListenerMock()
    let checkout = MockInteractor(willResignActive: { _ in
      #expect(listener.events == [], "the basket closes before the checkout is gone")
    })
    let basket = await makeBasket(listener: listener, checkout: checkout)
    await basket.interactor.activate()
    await basket.interactor.didTapCheckout()
    await expectTree(
      of: basket.router,
      is: """
        BasketRouter (active, 1 bound task)
        └─ CheckoutRouterMock (active)
        """)
    await basket.interactor.checkoutDidFinish()
    #expect(checkout.events == [.didBecomeActive, .willResignActive])
    #expect(listener.events == [.didClose])
    await basket.interactor.deactivate()
  }

  @Test @MainActor func `a second tap during the build does nothing`() async {
    let gate = Gate()
    let basket = await makeBasket(buildingAt: gate)
    let first = Task { await basket.interactor.didTapCheckout() }
    await gate.reached()
    await basket.interactor.didTapCheckout()
    gate.open()
    await first.value
    #expect(basket.builder.buildCount == 1)
  }

  @Test func `every price is presented`() async {
    let presenter = await basketPresentable()
    let (prices, continuation) = AsyncStream<Int>.makeStream()
    let interactor = BasketInteractor(presenter: presenter, service: FixedPrices(stream: prices))
    await interactor.activate()
    continuation.yield(3)
    continuation.yield(4)
    #expect(await presenter.recorder.events(atLeast: 2) == [.total(3), .total(4)])
    await interactor.deactivate()
  }

  @Test @MainActor func `a basket is released with its last reference`() async {
    await expectDeallocated {
      let basket = await makeBasket()
      await basket.router.routeToCheckout()
      return (basket.router, basket.interactor)
    }
  }

  @Test func `leaving stops the prices`() async {
    let service = PriceServiceMock()
    let interactor = BasketInteractor(presenter: await basketPresentable(), service: service)
    await interactor.activate()
    await service.pricesGate.reached()
    await expectCancels(at: service.pricesGate) { await interactor.deactivate() }
  }

  @Test(.simulated) func `an hour passes at once`() async throws {
    let recorder = Recorder<String>("Alarms")
    async let late: Void = ring("late", after: .seconds(3_600), recorder)
    async let early: Void = ring("early", after: .seconds(60), recorder)
    _ = try await (late, early)
    #expect(recorder.events == ["early", "late"])
  }
}

nonisolated final class BasketTests: XCTestCase {
  func testNothingLeaks() async {
    await expectNoLeaks {
      let basket = await makeBasket()
      await basket.router.routeToCheckout()
    }
  }
}
