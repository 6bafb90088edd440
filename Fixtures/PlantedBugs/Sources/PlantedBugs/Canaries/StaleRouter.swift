// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A support chat whose child says "I am done" when its agent hangs up: the parent closes whatever chat is open by
/// then, though it is not the one that was hung up.
///
/// An invariant misses the new chat.
enum StaleRouter {
  class SupportRouter: Router<ScreenInteractor> {
    fileprivate(set) var chat: PageRouter?
    /// The newest chat that is still open.
    private(set) var wanted: PageRouter?

    func call() async {
      let next = PageRouter(interactor: PageInteractor())
      let previous = chat
      chat = next
      wanted = next
      await attachChild(next)
      if let previous { await detachChild(previous) }
    }

    func hangUp() async {
      guard let chat else { return }
      wanted = nil
      await Server.answer()
      await chatDidFinish(chat)
    }

    fileprivate func chatDidFinish(_ finished: PageRouter) async {}
  }

  final class Buggy: SupportRouter {
    override func chatDidFinish(_ finished: PageRouter) async {
      guard let chat else { return }
      self.chat = nil
      await detachChild(chat)
    }
  }

  final class Repaired: SupportRouter {
    override func chatDidFinish(_ finished: PageRouter) async {
      Execution.sometimes("another chat is open when one is hung up", chat != nil && chat !== finished)
      guard let chat, chat === finished else { return }
      self.chat = nil
      await detachChild(chat)
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> SupportRouter) -> TreeFuzzer<
    SupportRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("call") { await $0.call() }
      .action("agent hangs up") { await $0.hangUp() }
      .invariant("a chat that was not hung up is open") { root in
        root.children.count == (root.wanted == nil ? 0 : 1) && root.children.first === root.wanted
      }
  }

  static let canary = Canary(
    "stale router", reaching: "another chat is open when one is hung up",
    breaks: "a listener call says which child it is about",
    verdict: "Broken at rest: a chat that was not hung up is open",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
