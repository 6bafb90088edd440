// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A home that attaches its greeter in a `Task` of its `init`: the greeter may become active before the home, and then
/// asks it for a name that is not there yet.
///
/// `didLoad()` is the place. An invariant misses the greeting.
enum AttachInInit {
  protocol GreeterListener: AnyObject, Sendable { func greeterDidAskForName() async -> String? }

  final actor GreeterInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var listener: (any GreeterListener)?
    private(set) var greeting: String?

    init(listener: any GreeterListener) { self.listener = listener }

    func didBecomeActive() async {
      if let name = await listener?.greeterDidAskForName() { greeting = "Hello, \(name)" }
    }
  }

  final actor HomeInteractor: Interactable, GreeterListener {
    nonisolated let lifecycle = InteractorLifecycle()
    private var name: String?

    func didBecomeActive() async {
      await Server.answer()
      name = "Joe"
    }
    func greeterDidAskForName() -> String? {
      Execution.sometimes("the greeter asks for a name that is there", name != nil)
      return name
    }
  }

  class HomeRouter: Router<HomeInteractor> {
    let greeter: Router<GreeterInteractor>

    override init(interactor: HomeInteractor) {
      greeter = Router(interactor: GreeterInteractor(listener: interactor))
      super.init(interactor: interactor)
    }
  }

  final class Buggy: HomeRouter {
    override init(interactor: HomeInteractor) {
      super.init(interactor: interactor)
      Task { await attachChild(greeter) }
    }
  }

  final class Repaired: HomeRouter {
    override func didLoad() async { await attachChild(greeter) }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (HomeInteractor) -> HomeRouter) -> TreeFuzzer<
    HomeRouter
  > {
    TreeFuzzer { make(HomeInteractor()) }
      .action("look") { _ in await Server.answer() }
      .invariant("the greeting is there") { await $0.greeter.interactor.greeting == "Hello, Joe" }
  }

  static let canary = Canary(
    "attach in init", reaching: "the greeter asks for a name that is there",
    breaks: "T1: children are attached in didLoad()",
    verdict: "Broken at rest: the greeting is there",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
