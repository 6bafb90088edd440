// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A player and a lyrics screen that both need the sound and the song in their `didBecomeActive()`, and take them in
/// opposite orders.
///
/// The fuzzer sees a deadlock as soon as each activation has one of the two and waits for the other. Napkin answers
/// circles of its own waits; it knows nothing of locks.
enum LocksInTwoOrders {
  /// A lock for tasks: callers get it in the order in which they ask.
  fileprivate actor Lock {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      Execution.sometimes("a lock is asked for that another screen has", isTaken)
      if isTaken {
        await withCheckedContinuation { waiting.append($0) }
      } else {
        isTaken = true
      }
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  final actor SongInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let first: Lock
    private let second: Lock

    fileprivate init(first: Lock, second: Lock) {
      self.first = first
      self.second = second
    }

    func didBecomeActive() async {
      await first.take()
      await second.take()
      await Server.answer()
      await second.giveBack()
      await first.giveBack()
    }
  }

  final class HomeRouter: Router<ScreenInteractor> {
    private let player: Router<SongInteractor>
    private let lyrics: Router<SongInteractor>
    private var isPlaying = false
    private var isSinging = false

    init(sameOrder: Bool) {
      let (sound, song) = (Lock(), Lock())
      player = Router(interactor: SongInteractor(first: sound, second: song))
      lyrics = Router(
        interactor: sameOrder
          ? SongInteractor(first: sound, second: song) : SongInteractor(first: song, second: sound))
      super.init(interactor: ScreenInteractor())
    }

    func openPlayer() async {
      guard !isPlaying else { return }
      isPlaying = true
      await attachChild(player)
    }

    func openLyrics() async {
      guard !isSinging else { return }
      isSinging = true
      await attachChild(lyrics)
    }
  }

  private static func fuzzer(sameOrder: Bool) -> TreeFuzzer<HomeRouter> {
    TreeFuzzer { HomeRouter(sameOrder: sameOrder) }
      .action("open player") { await $0.openPlayer() }
      .action("open lyrics") { await $0.openLyrics() }
  }

  static let canary = Canary(
    "locks in two orders", reaching: "a lock is asked for that another screen has",
    breaks: "L4: no two callbacks wait for each other", verdict: "Deadlock: ",
    buggy: fuzzer(sameOrder: false), repaired: fuzzer(sameOrder: true))
}
