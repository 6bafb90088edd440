// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization

/// Builds chains of 100,000 routers and releases them in each possible way: none may exhaust the stack (T12).
@main
struct DeepChain {
  static let length = 100_000
  static let gone = Atomic(0)

  @MainActor
  static func main() async {
    await drop("detached, then dropped") { top in
      let root = Link()
      await root.interactor.activate()
      await root.attachChild(top)
      await root.detachChild(top)
    }
    await drop("dropped while active") { top in await top.interactor.activate() }
  }

  /// Prints the way once every link is gone; the process crashes before that if releases nest.
  @MainActor
  private static func drop(_ way: String, _ prepare: @MainActor (Link) async -> Void) async {
    gone.store(0, ordering: .relaxed)
    do {
      let top = await chain()
      await prepare(top)
    }
    while gone.load(ordering: .relaxed) < length { await Task.yield() }
    print("\(length) routers: \(way)")
  }

  /// A chain that is built from below, so that each attach is as cheap as the first.
  @MainActor
  private static func chain() async -> Link {
    var top = Link()
    for _ in 1..<length {
      let next = Link()
      await next.attachChild(top)
      top = next
    }
    return top
  }
}

actor LinkInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

final class Link: Router<LinkInteractor> {
  init() { super.init(interactor: LinkInteractor()) }

  isolated deinit { DeepChain.gone.add(1, ordering: .relaxed) }
}
