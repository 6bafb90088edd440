// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A banner that binds its work when it is wired instead of when it becomes active: bound outside its scope, the work
/// never begins.
///
/// An invariant misses what it should have heard.
enum BoundTooEarly {
  protocol Banner: Interactable {
    init(offers: Broadcast<Int>)
    func wire() async
    var shown: Int { get async }
  }

  final actor Buggy: Banner {
    nonisolated let lifecycle = InteractorLifecycle()
    private let offers: Broadcast<Int>
    private(set) var shown = 0
    init(offers: Broadcast<Int>) { self.offers = offers }

    func wire() {
      task { [weak self, offers] in
        for await offer in offers.stream() { await self?.show(offer) }
      }
    }

    private func show(_ offer: Int) { shown = offer }
  }

  final actor Repaired: Banner {
    nonisolated let lifecycle = InteractorLifecycle()
    private let offers: Broadcast<Int>
    private(set) var shown = 0
    init(offers: Broadcast<Int>) { self.offers = offers }

    func wire() {}

    func didBecomeActive() async {
      task { [weak self, offers] in
        for await offer in offers.stream() { await self?.show(offer) }
      }
    }

    private func show(_ offer: Int) {
      Execution.sometimes("the banner hears an offer", true)
      shown = offer
    }
  }

  final class ShopRouter<Child: Banner>: Router<ScreenInteractor> {
    let offers = Broadcast<Int>()
    let banner: Router<Child>
    private(set) var newest = 0

    init() {
      banner = Router(interactor: Child(offers: offers))
      super.init(interactor: ScreenInteractor())
    }

    override func didLoad() async {
      await banner.interactor.wire()
      await attachChild(banner)
    }

    func send() {
      newest += 1
      offers.send(newest)
    }
  }

  private static func fuzzer<Child: Banner>(_: Child.Type) -> TreeFuzzer<ShopRouter<Child>> {
    TreeFuzzer { ShopRouter() }
      .action("offer arrives") { $0.send() }
      .invariant("the banner shows the newest offer") { await $0.banner.interactor.shown == $0.newest }
  }

  static let canary = Canary(
    "bound too early", reaching: "the banner hears an offer",
    breaks: "L6: work is bound in didBecomeActive()",
    verdict: "Broken at rest: the banner shows the newest offer",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
