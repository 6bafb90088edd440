// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Random waits in a small tree of routers that attach, detach, move and become inactive, checked by the kit's rules.
@MainActor
@Suite struct ActivityWaitProgramTests {
  /// A type of its own, since other tests count the misuses of theirs.
  private final class Member: Router<ProbeInteractor> {}

  /// A root, and three routers that may stand anywhere below it.
  private final class Family: Router<ProbeInteractor> {
    let members: [Member]
    private var waits: [Task<Void, Never>] = []

    init() {
      members = (1...3).map { number in
        Member(
          interactor: ProbeInteractor(
            "\(number)", active: { _ in if number != 1 { await Task.yield() } },
            resign: { _ in if number != 2 { await Task.yield() } }))
      }
      super.init(interactor: ProbeInteractor("root"))
    }

    func router(_ number: Int) -> any Routing { number == 0 ? self : members[number - 1] }

    func place(_ child: Int, under parent: Int) async {
      guard members[child - 1].parent(among: [self] + members) == nil else { return }
      await router(parent).attachChild(router(child))
    }

    func take(_ child: Int) async {
      await members[child - 1].parent(among: [self] + members)?.detachChild(router(child))
    }

    func wait(for number: Int) {
      let lifecycle = router(number).interactable.lifecycle
      waits.append(Task { try? await lifecycle.whenActive() })
    }

    func cancelWait() { waits.popLast()?.cancel() }
  }

  private static let fuzzer = TreeFuzzer { Family() }
    .action(
      FuzzAction("attach", with: .drawn(.zip(.int(in: 1...3), .int(in: 0...3)))) { await $0.place($1.0, under: $1.1) }
    )
    .action(FuzzAction("detach", with: .drawn(.int(in: 1...3))) { await $0.take($1) })
    .action(FuzzAction("deactivate", with: .drawn(.int(in: 0...3))) { await $0.router($1).interactable.deactivate() })
    .action(FuzzAction("activate", with: .drawn(.int(in: 0...3))) { await $0.router($1).interactable.activate() })
    .action(FuzzAction("wait for", with: .drawn(.int(in: 0...3))) { $0.wait(for: $1) }.weight(4))
    .action("cancel a wait") { $0.cancelWait() }
    // It attaches wherever it likes, also below what has left.
    .ignoring(.misuse, .staleParent, .strayActivity)

  @Test func `L11 a wait ends with the activation or with the place in the tree`() async {
    await Self.fuzzer.check(executions: 1_000, seed: 1)
  }
}

extension Routing {
  /// The router among others that has this one among its children.
  fileprivate func parent(among others: [any Routing]) -> (any Routing)? {
    others.first { $0.children.contains { $0 === self } }
  }
}
