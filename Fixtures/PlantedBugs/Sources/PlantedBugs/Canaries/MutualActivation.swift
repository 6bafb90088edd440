// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A player and a lyrics screen that start each other by hand, each in its `didBecomeActive()`: each activation waits
/// for the other one.
///
/// The fuzzer sees a deadlock as soon as both are opened at once.
enum MutualActivation {
  final actor SongInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var partner: SongInteractor?
    private let startsPartner: Bool

    init(startsPartner: Bool) { self.startsPartner = startsPartner }

    func wire(partner: SongInteractor) { self.partner = partner }

    func didBecomeActive() async {
      await Server.answer()
      if startsPartner { await partner?.activate() }
    }
  }

  final class HomeRouter: Router<ScreenInteractor> {
    private let player: Router<SongInteractor>
    private let lyrics: Router<SongInteractor>
    private var isPlaying = false
    private var isSinging = false

    init(startEachOther: Bool) {
      player = Router(interactor: SongInteractor(startsPartner: startEachOther))
      lyrics = Router(interactor: SongInteractor(startsPartner: startEachOther))
      super.init(interactor: ScreenInteractor())
    }

    func wire() async {
      await player.interactor.wire(partner: lyrics.interactor)
      await lyrics.interactor.wire(partner: player.interactor)
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

  private static func fuzzer(startEachOther: Bool) -> TreeFuzzer<HomeRouter> {
    TreeFuzzer {
      let router = HomeRouter(startEachOther: startEachOther)
      await router.wire()
      return router
    }
    .action("open player") { await $0.openPlayer() }
    .action("open lyrics") { await $0.openLyrics() }
  }

  static let canary = Canary(
    "mutual activation", breaks: "L4: no two callbacks wait for each other", verdict: "Deadlock: ",
    buggy: fuzzer(startEachOther: true), repaired: fuzzer(startEachOther: false))
}
