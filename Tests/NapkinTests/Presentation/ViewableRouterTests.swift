// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

#if !canImport(UIKit) && !canImport(AppKit)
@Suite @MainActor struct ViewableRouterTests {
  @MainActor protocol Screening: ViewControllable {}
  final class Screen: Screening {}
  final class NoScreen {}
  final actor Quiet: Interactable { nonisolated let lifecycle = InteractorLifecycle() }

  @Test func `the view controller is known by both its types`() {
    let screen = Screen()
    let router = ViewableRouter<Quiet, any Screening>(interactor: Quiet(), viewController: screen)
    #expect(router.viewController === screen)
    #expect(router.viewControllable === screen)
  }

  #if os(macOS) || os(Linux)
  @Test func `what is no view controller is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        _ = ViewableRouter<Quiet, NoScreen>(interactor: Quiet(), viewController: NoScreen())
      }
    }
    #expect(result.text.contains("was handed a NoScreen, which is not a ViewControllable."))
  }
  #endif
}
#endif
