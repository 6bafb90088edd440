// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A profile that is loaded in the call of a tap and shown when it arrives, though the screen may be gone by then: the
/// call is bound to nothing.
///
/// An invariant sees a screen drawn on after it was closed.
enum WorkAfterResign {
  final actor Canvas {
    private(set) var isOpen = false
    private(set) var strayStrokes = 0
    func open() { isOpen = true }
    func close() { isOpen = false }
    func draw() { if !isOpen { strayStrokes += 1 } }
  }

  protocol Profile: Interactable {
    init(canvas: Canvas)
    func didTapReload() async
  }

  final actor Buggy: Profile {
    nonisolated let lifecycle = InteractorLifecycle()
    private let canvas: Canvas
    init(canvas: Canvas) { self.canvas = canvas }
    func didBecomeActive() async { await canvas.open() }
    func willResignActive() async { await canvas.close() }

    func didTapReload() async {
      await Server.answer()
      await canvas.draw()
    }
  }

  final actor Repaired: Profile {
    nonisolated let lifecycle = InteractorLifecycle()
    private let canvas: Canvas
    private var reloads: [Task<Void, Never>] = []
    private var isOpen = false
    init(canvas: Canvas) { self.canvas = canvas }
    func didBecomeActive() async {
      await canvas.open()
      isOpen = true
    }

    func willResignActive() async {
      isOpen = false
      for reload in reloads { reload.cancel() }
      // All of them, not only the last: one that was cancelled may be about to draw.
      for reload in reloads { await reload.value }
      reloads = []
      await canvas.close()
    }

    func didTapReload() async {
      guard isOpen else { return }
      for reload in reloads { reload.cancel() }
      reloads.append(
        task { [canvas] in
          await Server.answer()
          Execution.sometimes("a reload is cancelled while it waits", Task.isCancelled)
          if !Task.isCancelled { await canvas.draw() }
        })
    }
  }

  final class HomeRouter<Child: Profile>: Router<ScreenInteractor> {
    private(set) var canvases: [Canvas] = []
    private(set) var profile: Router<Child>?

    func toggleProfile() async {
      if let profile {
        self.profile = nil
        return await detachChild(profile)
      }
      let canvas = Canvas()
      canvases.append(canvas)
      let router = Router(interactor: Child(canvas: canvas))
      profile = router
      await attachChild(router)
    }
  }

  private static func fuzzer<Child: Profile>(_: Child.Type) -> TreeFuzzer<HomeRouter<Child>> {
    TreeFuzzer { HomeRouter(interactor: ScreenInteractor()) }
      .action("tap profile") { await $0.toggleProfile() }
      .action("tap reload") { await $0.profile?.interactor.didTapReload() }
      .invariant("no task draws on a closed screen") { home in
        for canvas in home.canvases where await canvas.strayStrokes > 0 { return false }
        return true
      }
  }

  static let canary = Canary(
    "work after resign", reaching: "a reload is cancelled while it waits",
    breaks: "L6: work is bound to the scope that it is for",
    verdict: "Broken at rest: no task draws on a closed screen",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
