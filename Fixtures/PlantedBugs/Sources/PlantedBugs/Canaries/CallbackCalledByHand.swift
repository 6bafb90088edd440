// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A mailbox that calls its own `didBecomeActive()` on pull-to-refresh: it listens twice, and counts each letter twice.
///
/// An invariant compares the counts.
enum CallbackCalledByHand {
  protocol Mailbox: Interactable {
    init(letters: Broadcast<Int>)
    func didPullToRefresh() async
    var unread: Int { get async }
  }

  final actor Buggy: Mailbox {
    nonisolated let lifecycle = InteractorLifecycle()
    private let letters: Broadcast<Int>
    private(set) var unread = 0
    init(letters: Broadcast<Int>) { self.letters = letters }

    func didBecomeActive() async {
      task { [weak self, letters] in
        for await _ in letters.stream() { await self?.count() }
      }
    }

    func didPullToRefresh() async { await didBecomeActive() }
    private func count() { unread += 1 }
  }

  final actor Repaired: Mailbox {
    nonisolated let lifecycle = InteractorLifecycle()
    private let letters: Broadcast<Int>
    private(set) var unread = 0
    private var hasPulled = false
    init(letters: Broadcast<Int>) { self.letters = letters }

    func didBecomeActive() async {
      task { [weak self, letters] in
        for await _ in letters.stream() { await self?.count() }
      }
    }

    func didPullToRefresh() async {
      await Server.answer()
      hasPulled = true
    }

    private func count() {
      Execution.sometimes("a letter arrives after a pull", hasPulled)
      unread += 1
    }
  }

  final class MailRouter<Root: Mailbox>: Router<Root> {
    private let letters: Broadcast<Int>
    private(set) var sent = 0

    init(letters: Broadcast<Int> = Broadcast()) {
      self.letters = letters
      super.init(interactor: Root(letters: letters))
    }

    func send() {
      sent += 1
      letters.send(sent)
    }
  }

  private static func fuzzer<Root: Mailbox>(_: Root.Type) -> TreeFuzzer<MailRouter<Root>> {
    TreeFuzzer { MailRouter<Root>() }
      .action("letter arrives") { $0.send() }
      .action("pull to refresh") { await $0.interactor.didPullToRefresh() }
      .invariant("each letter counts once") { await $0.interactor.unread == $0.sent }
  }

  static let canary = Canary(
    "callback called by hand", reaching: "a letter arrives after a pull",
    breaks: "L2: the tree alone calls didBecomeActive()",
    verdict: "Broken at rest: each letter counts once",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
