// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A toast that hides itself after three seconds, with `try?` before the sleep: the cancelled timer of the previous
/// toast returns at once and hides the new one.
///
/// An invariant misses the toast.
enum ToastTimer {
  protocol Toaster: Interactable {
    init()
    func show(_ text: String) async
    var toast: String? { get async }
  }

  final actor Buggy: Toaster {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var toast: String?
    private var timer: Task<Void, Never>?

    func show(_ text: String) {
      toast = text
      timer?.cancel()
      timer = task { [weak self] in
        try? await Task.sleep(for: .seconds(3))
        await self?.hide()
      }
    }

    private func hide() { toast = nil }
  }

  final actor Repaired: Toaster {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var toast: String?
    private var timer: Task<Void, Never>?
    private var newest = 0

    func show(_ text: String) {
      toast = text
      timer?.cancel()
      newest += 1
      timer = task { [weak self, newest] in
        try? await Task.sleep(for: .seconds(3))
        await self?.hide(newest)
      }
    }

    private func hide(_ number: Int) {
      Execution.sometimes("a timer ends after a newer toast", number != newest)
      guard number == newest else { return }
      toast = nil
    }
  }

  final class EditorRouter<Root: Toaster>: Router<Root> {
    private(set) var savedAt: SimulatedClock.Instant?

    func save() async {
      savedAt = Execution.clock.now
      await interactor.show("saved")
    }
  }

  private static func fuzzer<Root: Toaster>(_: Root.Type) -> TreeFuzzer<EditorRouter<Root>> {
    TreeFuzzer { EditorRouter(interactor: Root()) }
      .action("save", weight: 2) { await $0.save() }
      .action("a second passes") { _ in try? await Task.sleep(for: .seconds(1)) }
      .invariant("a toast is seen for three seconds") { root in
        // The toast is read before the clock, since time may pass on the way back.
        let isSeen = await root.interactor.toast != nil
        guard let savedAt = root.savedAt else { return true }
        return isSeen || savedAt.duration(to: Execution.clock.now) >= .seconds(2.9)
      }
  }

  static let canary = Canary(
    "toast timer", reaching: "a timer ends after a newer toast",
    breaks: "a cancelled sleep has not slept",
    verdict: "Broken at rest: a toast is seen for three seconds",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
