// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A player that forgets its movie after the detach instead of before it: if the next movie begins meanwhile, it is
/// that one which is forgotten, and it plays on.
///
/// An invariant sees a movie that cannot be stopped.
enum LateClear {
  class PlayerRouter: Router<ScreenInteractor> {
    fileprivate(set) var movie: PageRouter?

    func play() async {
      let next = PageRouter(interactor: PageInteractor())
      let previous = movie
      movie = next
      await attachChild(next)
      if let previous { await detachChild(previous) }
    }

    func stop() async {}
  }

  final class Buggy: PlayerRouter {
    override func stop() async {
      guard let movie else { return }
      await detachChild(movie)
      self.movie = nil
    }
  }

  final class Repaired: PlayerRouter {
    override func stop() async {
      guard let movie else { return }
      self.movie = nil
      await detachChild(movie)
      Execution.sometimes("a movie begins while the last one stops", self.movie != nil)
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> PlayerRouter) -> TreeFuzzer<
    PlayerRouter
  > {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("play") { await $0.play() }
      .action("stop") { await $0.stop() }
      .invariant("what plays can be stopped") { player in player.children.allSatisfy { $0 === player.movie } }
  }

  static let canary = Canary(
    "late clear", reaching: "a movie begins while the last one stops",
    breaks: "clear the slot before the first await",
    verdict: "Broken at rest: what plays can be stopped",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
