// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// What the Rib House's own tests fuzz, as a module that is built for release, too.
@MainActor
public enum HouseFuzzer {
  /// Runs a number of executions of 12 actions by 3 callers on the whole app.
  public nonisolated static func run(executions: Int, isWatched: Bool) async -> Exploration {
    var fuzzer = TreeFuzzer { await FuzzedHouse.build() }
      .action("tap login", weight: 4) { await $0.door?.interactor.didTapLogin() }
      .action("tap logout") { await $0.guest?.didTapLogout() }
      .action("tap pit board", weight: 4) { await $0.guest?.didTapPitBoard() }
      .action("close pit board") { await $0.pitBoard?.interactor.didTapClose() }
      .action("dismiss banner") { await $0.guest?.didTapDismissBanner() }
      .action("kitchen shouts") { $0.services.kitchen.send(Special(dish: "burnt ends", price: 1_250)) }
      .action("pit warms up") { $0.services.pit.send([Cut(name: "Brisket", temperature: 80, target: 95)]) }
    if !isWatched { fuzzer = fuzzer.withoutMonitors() }
    return await fuzzer.run(executions: executions, actions: 12...12, concurrency: 3, seed: 1)
  }
}
