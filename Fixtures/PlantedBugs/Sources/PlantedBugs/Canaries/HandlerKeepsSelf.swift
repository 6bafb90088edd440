// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

/// An inbox that hands the push service a closure with itself in it, and holds the service.
///
/// It is never released, and the fuzzer says so without being asked.
enum HandlerKeepsSelf {
  final class PushService: Sendable {
    private let handler = Mutex<(@Sendable (String) async -> Void)?>(nil)
    func onPush(_ handle: @escaping @Sendable (String) async -> Void) { handler.withLock { $0 = handle } }
    func push(_ text: String) async { await handler.withLock { $0 }?(text) }
  }

  protocol Inbox: Interactable { init(service: PushService) }

  final actor Buggy: Inbox {
    nonisolated let lifecycle = InteractorLifecycle()
    private let service: PushService
    private var texts: [String] = []
    init(service: PushService) { self.service = service }

    func didBecomeActive() async { service.onPush { await self.received($0) } }

    private func received(_ text: String) { texts.append(text) }
  }

  final actor Repaired: Inbox {
    nonisolated let lifecycle = InteractorLifecycle()
    private let service: PushService
    private var texts: [String] = []
    init(service: PushService) { self.service = service }

    func didBecomeActive() async { service.onPush { [weak self] in await self?.received($0) } }

    private func received(_ text: String) {
      Execution.sometimes("a push arrives at the inbox", true)
      texts.append(text)
    }
  }

  final class HomeRouter<Child: Inbox>: Router<ScreenInteractor> {
    let service = PushService()
    private var inbox: Router<Child>?

    func openInbox() async {
      guard inbox == nil else { return }
      let router = Router(interactor: Child(service: service))
      inbox = router
      await attachChild(router)
    }
  }

  private static func fuzzer<Child: Inbox>(_: Child.Type) -> TreeFuzzer<HomeRouter<Child>> {
    TreeFuzzer { HomeRouter(interactor: ScreenInteractor()) }
      .action("tap inbox") { await $0.openInbox() }
      .action("push arrives") { await $0.service.push("hello") }
  }

  static let canary = Canary(
    "handler keeps self", reaching: "a push arrives at the inbox",
    breaks: "a service's closure holds its interactor weakly",
    verdict: "T10 release: Buggy was never released", buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
