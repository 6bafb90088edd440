// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling

extension Pair {
  /// Attach and detach of a leaf against two round trips from the main actor to another, with work on it in between.
  ///
  /// Two round trips are what the two callbacks of an actor cost a caller that awaits them from the main actor.
  package static func attaching() -> [Pair] {
    let plain = Later { await Stage(Plain()) }
    let busy = Later { await Stage(Busy()) }
    let bare = Later { BareCallbacks(Busy()) }
    return [
      .attaching("attach + detach, default callbacks", goal: 0.5) { await plain.get().comeAndGo(batch) },
      .attaching("attach + detach, both callbacks on the actor", goal: 1.25) { await busy.get().comeAndGo(batch) },
      .attaching("both callbacks on the actor, by the barest program") { await bare.get().run(batch) },
      .attaching("make, attach, detach and drop a leaf") {
        let parent = await plain.get().parent
        for _ in 0..<batch {
          let leaf = Router(interactor: Plain())
          await parent.attachChild(leaf)
          await parent.detachChild(leaf)
        }
      },
    ]
  }

  private static var batch: Int { 200 }

  private static func attaching(
    _ name: String, goal: Double? = nil, _ subject: @escaping @MainActor @Sendable () async -> Void
  )
    -> Pair
  {
    let ping = Ping()
    return Pair(
      name,
      unit: "attach + detach",
      goal: goal,
      subject: { await Reading.onMain(batch, subject) },
      yardstick: {
        await Reading.onMain(batch) {
          for _ in 0..<batch {
            Desk.note(await ping.hit())
            Desk.note(await ping.hit())
          }
        }
      }
    )
  }
}
