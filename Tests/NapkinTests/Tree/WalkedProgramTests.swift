// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

/// Sequences that the walks of the machine have found, as programs of public calls.
@MainActor
@Suite struct WalkedProgramTests {
  /// Holds callbacks, each time by another latch.
  private final class Gates: Sendable {
    let latches: [Latch]
    private let count = Latch()

    init(_ number: Int) { latches = (0..<number).map { _ in Latch() } }

    func pass() async {
      let index = count.arrivals
      count.open()
      await count.pass()
      if index < latches.count { await latches[index].pass() }
    }
  }

  /// A chain in which each router but the first is the child of the one before.
  private func chain(_ routers: ProbeRouter...) async {
    await routers[0].interactor.activate()
    for (parent, child) in zip(routers, routers.dropFirst()) { await parent.attachChild(child) }
  }

  @Test(.timeLimit(.minutes(60)), arguments: [false, true])
  func `T4 L3 a router that is wanted active again resigns the next time`(isDropped: Bool) async {
    let (gates, top) = (Gates(2), Latch())
    var zero: ProbeRouter? = ProbeRouter("0", resign: { _ in await top.pass() })
    let (one, two) = (ProbeRouter("1"), ProbeRouter("2"))
    let three = ProbeRouter("3", resign: { _ in await gates.pass() })
    await chain(zero!, one, two, three)

    let interactor = zero!.interactor
    let first = Task.immediate { await interactor.deactivate() }
    await gates.latches[0].reached()
    let activation = Task.immediate { await one.interactor.activate() }
    gates.latches[0].open()
    await activation.value
    await top.reached()
    let second = Task.immediate { await three.interactor.deactivate() }
    await gates.latches[1].reached()
    top.open()
    await untilInactive(interactor)
    let last = isDropped ? nil : Task.immediate { await interactor.deactivate() }
    if isDropped { zero = nil }
    gates.latches[1].open()
    await first.value
    await second.value
    await last?.value
    for router in [one, two, three] { await untilInactive(router.interactor) }
    for router in [one, two, three] { #expect(await !router.interactor.isActive, "\(router.name)") }
    withExtendedLifetime(zero) {}
  }

  private func untilInactive(_ interactor: ProbeInteractor) async {
    for await isActive in interactor.isActiveStream where !isActive { break }
  }

  @Test(.timeLimit(.minutes(60)))
  func `L4 T8 a callback is not held up by what begins to wait for it`() async {
    let (root, a) = (ProbeRouter("root"), ProbeRouter("a"))
    let attaching = Latch()
    let again = Latch()
    let b = ProbeRouter(
      "b",
      active: { _ in
        guard again.arrivals > 0, attaching.arrivals == 0 else { return }
        attaching.open()
        await attaching.pass()
        await root.attachChild(a)
      },
      resign: { interactor in
        guard again.arrivals == 0 else { return }
        again.open()
        await again.pass()
        await interactor.activate()
      })
    await chain(root, a, b)
    let detach = Task.immediate { await root.detachChild(a) }
    await attaching.reached()
    await b.interactor.deactivate()
    await detach.value
    await root.detachChild(a)
    #expect(root.names.isEmpty)
    #expect(await !b.interactor.isActive)
  }
}
