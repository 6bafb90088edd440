// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Testing

@testable import App

// Doubles of awkward protocols do what doubles do: their stubs answer, and their calls are recorded.
@MainActor @Suite struct CorpusTests {
  let meal = Meal(name: "ribs")

  @Test func `generic parameters answer with what the caller asks for`() async throws {
    let (sums, maps, packs) = (WhereGenericMock(), GenericClosureMock(), PacksMock())
    sums.sumStub.returns(6)
    #expect(sums.sum([1, 2, 3]) == 6)
    maps.mapStub.returns("one")
    #expect(maps.map { "\($0)" } == "one")
    maps.everyStub.throws(Sold.out)
    #expect(throws: Sold.out) { try maps.every { (_: Int) throws(Sold) -> Int in 1 } as [Int] }
    await packs.all(1, "two")
    #expect(packs.recorder.count == 1)
  }

  @Test func `initializers that fail or throw make doubles`() async throws {
    #expect(FailableMock(name: "a") != nil)
    let text = try ThrowingInitMock(from: "a")
    text.textStub.returns("b")
    #expect(await text.text() == "b")
    _ = try await AsyncInitMock(after: .zero)
  }

  @Test func `each isolation has its double`() async {
    let (isolated, cellar, actor) = (IsolatedParameterMock(), InCellarMock(), OnlyActorsMock())
    isolated.runOnStub.returns(4)
    #expect(await isolated.run(on: #isolation) == 4)
    await cellar.store(meal)
    #expect(await cellar.take() == nil)
    #expect(cellar.events == [.store(meal)])
    await actor.note(meal)
    #expect(actor.events == [.note(meal)])
    let main = OnMainMock(meal: meal)
    main.show(meal)
    #expect(main.meal == meal && main.events == [.show(meal)])
    let waiting = NonsendingMock()
    waiting.workStub.returns(2)
    #expect(await waiting.work() == 2)
  }

  @Test func `Self is the double`() async throws {
    let (copying, chained, versus) = (CopyingMock(), ChainedMock(), VersusMock())
    copying.copyStub.returns(copying)
    #expect(copying.copy() === copying)
    let next = ChainedMock()
    chained.withNameStub.returns(next)
    #expect(chained.with(name: "a") === next)
    MakingMock.makeStub.returns(MakingMock())
    _ = MakingMock.make()
    let table = MakingForTablesMock()
    MakingForTablesMock.makeForStub.returns(table)
    #expect(try await MakingForTablesMock.make(for: 1) === table)
    #expect(MakingForTablesMock.find("a") == nil)
    let shared = MakingOnMainMock()
    MakingOnMainMock.sharedStub.returns(shared)
    #expect(MakingOnMainMock.shared === shared)
    versus.beatsStub.returns(true)
    #expect(versus.beats(VersusMock()))
  }

  @Test func `builders have stubs where they throw, or build in several ways`() async throws {
    let (router, listener) = (MockRouter(), MealListenerMock())
    let typed = TypedBuildableMock(buildDefault: router)
    typed.buildStub.returns(router)
    #expect(try await typed.build(withListener: listener, at: 1) === router)
    typed.buildStub.throws(Sold.out)
    await #expect(throws: Sold.out) { try await typed.build(withListener: listener, at: 2) }
    #expect(typed.buildStub.calls.map(\.1) == [1, 2])
    let twice = TwiceBuildableMock(buildMealDefault: meal, buildMealAgainDefault: router)
    twice.buildMealStub.returns(meal)
    #expect(await twice.build(meal) == meal)
    let synchronous = SynchronousBuildableMock(buildDefault: meal)
    synchronous.buildStub.returns(meal)
    #expect(synchronous.build(meal, at: 3) == meal)
    let throwing = ThrowingBuildableMock()
    throwing.buildStub.returns(meal)
    #expect(try await throwing.build(withListener: listener, at: 4) == meal)
  }

  @Test func `a type Event of the protocol's own is not hidden by the recorded calls`() async throws {
    let (publishing, numbers) = (PublishingMock<String>(), PublishingNumbersMock())
    await publishing.publish("a")
    publishing.pause()
    #expect(publishing.recorder.count == 2)
    #expect(publishing.last() == nil)
    await numbers.publish(1)
    #expect(numbers.recorder.events == [.publish(1)])
    let journal = JournalMock()
    journal.note(Event(name: "a"), and: Call(number: 1))
    journal.note(Event(name: "b"))
    journal.firstStub.returns(Event(name: "c"))
    #expect(try await journal.first() == Event(name: "c"))
    #expect(journal.recorder.count == 2)
  }

  @Test func `streams, existentials, tuples and closures are answers`() async {
    let numbers = AsyncStream<Int> { $0.finish() }
    let streaming = StreamingMock(
      numbersDefault: numbers, mealsDefault: AsyncThrowingStream<Meal, any Error> { $0.finish() })
    streaming.numbersStub.returns(numbers)
    #expect(streaming.numbers() is AsyncStream<Int>)
    let existential = ExistentialMock(listenerDefault: 1)
    existential.listenerStub.returns(1)
    #expect(existential.listener().description == "1")
    let tuples = TupledMock(pairDefault: (name: "a", count: 1), sizeDefault: (width: 1, height: 2))
    tuples.pairStub.returns((name: "a", count: 1))
    #expect(tuples.pair().count == 1)
    let closures = ClosuresMock(handlerDefault: { _ in })
    closures.handlerStub.returns({ _ in })
    closures.on("tap") {}
    await closures.handler()(1)
    #expect(closures.recorder.count == 1)
  }

  @Test func `typed errors come through, and what throws never does not`() async throws {
    let (typed, calm, rethrowing) = (TypedThrowingMock(), NeverThrowsMock(), RethrowingMock())
    typed.priceStub.throws(Sold.out)
    await #expect(throws: Sold.out) { try await typed.price(of: meal) }
    calm.calm()
    #expect(calm.recorder.count == 1)
    rethrowing.mapStub.returns(3)
    #expect(rethrowing.map { $0 } == 3)
  }

  @Test func `values that are borrowed, consumed or changed are recorded`() {
    let owning = OwningMock()
    owning.look("a")
    owning.eat(meal)
    var meal = meal
    owning.changeStub.returns(true)
    #expect(owning.change(&meal))
    #expect(owning.events == [.look("a"), .eat(meal)])
    let keys = KeysMock()
    keys.openStub.returns(true)
    let isOpen = keys.open(Key())
    #expect(isOpen)
    keys.lose(Key())
    #expect(keys.recorder.count == 1)
  }

  @Test func `subscripts, static members and overloads have stubs of their own`() async throws {
    let subscripts = SubscriptsMock(subscriptIndexDefault: meal)
    subscripts.subscriptIndexStub.returns(meal)
    #expect(subscripts[1] == meal)
    subscripts[name: "a"] = 2
    #expect(subscripts[name: "a"] == 2)
    subscripts.subscriptSlowStub.returns(5)
    #expect(try await subscripts[slow: 1] == 5)
    StaticsMock.countStub.returns(8)
    #expect(StaticsMock.count() == 8)
    let overloads = OverloadsMock()
    overloads.send(1)
    overloads.send("a")
    await overloads.send(meal)
    #expect(overloads.events == [.sendNumber(1), .sendText("a"), .sendMeal(meal)])
  }

  @Test func `keywords, builders and signatures of many lines are called as declared`() async throws {
    let named = NamedMock()
    named.`class`(1, for: "a")
    named.`init`()
    #expect(named.recorder.count == 2)
    let built = BuiltMock()
    (built as any Built).print {
      "a"
      "b"
    }
    #expect(built.recorder.count == 1)
    let wide = WideMock()
    wide.orderStub.returns(meal)
    #expect(try await wide.order(meal, at: 1, for: []) == meal)
  }

  @Test func `associated types are parameters of the double, or what the protocol says`() async {
    let narrowed = NarrowedMock(itemDefault: meal)
    narrowed.itemStub.returns(meal)
    #expect(await narrowed.item(at: 1) == meal)
    narrowed.put([], at: 1)
    narrowed.extra()
    #expect(narrowed.recorder.count == 2)
    let bounded = BoundedMock<Int, [Int]>()
    bounded.othersStub.returns([1])
    #expect(bounded.others() == [1])
    let refining = RefiningMock()
    refining.base(1)
    refining.farStub.returns(2)
    #expect(refining.far() == 2)
  }
}
