// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A location service that counts its listeners, asked by a map that says goodbye only if the user closes it by its
/// button.
///
/// An invariant sees the receiver on with no map open.
enum StillListening {
  final actor LocationService {
    private(set) var users = 0
    func start() { users += 1 }
    func stop() { users -= 1 }
  }

  protocol MapListener: AnyObject, Sendable { func mapDidFinish() async }

  protocol Map: Interactable {
    init(location: LocationService, listener: any MapListener)
    func didTapClose() async
  }

  final actor Buggy: Map {
    nonisolated let lifecycle = InteractorLifecycle()
    private let location: LocationService
    private weak var listener: (any MapListener)?

    init(location: LocationService, listener: any MapListener) {
      self.location = location
      self.listener = listener
    }

    func didBecomeActive() async { await location.start() }

    func didTapClose() async {
      await location.stop()
      await listener?.mapDidFinish()
    }
  }

  final actor Repaired: Map {
    nonisolated let lifecycle = InteractorLifecycle()
    private let location: LocationService
    private var hasTapped = false
    private weak var listener: (any MapListener)?

    init(location: LocationService, listener: any MapListener) {
      self.location = location
      self.listener = listener
    }

    func didBecomeActive() async { await location.start() }
    func willResignActive() async {
      Execution.sometimes("a map is left without its button", !hasTapped)
      await location.stop()
    }

    func didTapClose() async {
      hasTapped = true
      await listener?.mapDidFinish()
    }
  }

  final actor HomeInteractor: Interactable, MapListener {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var router: (any HomeRouting)?
    func wire(router: any HomeRouting) { self.router = router }
    func mapDidFinish() async { await router?.routeBackFromMap() }
  }

  @MainActor protocol HomeRouting: Routing { func routeBackFromMap() async }

  final class HomeRouter<Child: Map>: Router<HomeInteractor>, HomeRouting {
    let location = LocationService()
    private(set) var map: Router<Child>?

    func routeToMap() async {
      guard map == nil else { return }
      let router = Router(interactor: Child(location: location, listener: interactor))
      map = router
      await attachChild(router)
    }

    func routeBackFromMap() async {
      guard let map else { return }
      self.map = nil
      await detachChild(map)
    }
  }

  private static func fuzzer<Child: Map>(_: Child.Type) -> TreeFuzzer<HomeRouter<Child>> {
    TreeFuzzer {
      let router = HomeRouter<Child>(interactor: HomeInteractor())
      await router.interactor.wire(router: router)
      return router
    }
    .action("open map", weight: 2) { await $0.routeToMap() }
    .action("tap close") { await $0.map?.interactor.didTapClose() }
    .action("swipe back") { await $0.routeBackFromMap() }
    .invariant("the receiver is on for open maps") { await $0.location.users == $0.children.count }
  }

  static let canary = Canary(
    "still listening", reaching: "a map is left without its button",
    breaks: "what didBecomeActive() starts willResignActive() stops",
    verdict: "Broken at rest: the receiver is on for open maps",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
