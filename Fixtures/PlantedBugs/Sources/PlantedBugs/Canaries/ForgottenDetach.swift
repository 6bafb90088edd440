// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// An onboarding that attaches the next step and never detaches the one before: each stays active behind the other.
///
/// An invariant counts the steps.
enum ForgottenDetach {
  class OnboardingRouter: Router<ScreenInteractor> {
    fileprivate var step: ScreenRouter?
    func routeToNextStep() async {}
  }

  final class Buggy: OnboardingRouter {
    override func routeToNextStep() async {
      let next = ScreenRouter(interactor: ScreenInteractor())
      step = next
      await attachChild(next)
    }
  }

  final class Repaired: OnboardingRouter {
    override func routeToNextStep() async {
      let next = ScreenRouter(interactor: ScreenInteractor())
      let previous = step
      Execution.sometimes("a step follows another", previous != nil)
      step = next
      await attachChild(next)
      if let previous { await detachChild(previous) }
    }
  }

  private static func fuzzer(_ make: @escaping @MainActor @Sendable (ScreenInteractor) -> OnboardingRouter)
    -> TreeFuzzer<OnboardingRouter>
  {
    TreeFuzzer { make(ScreenInteractor()) }
      .action("tap next") { await $0.routeToNextStep() }
      .invariant("one step is open at most") { $0.children.count <= 1 }
  }

  static let canary = Canary(
    "forgotten detach", reaching: "a step follows another",
    breaks: "what is no longer shown is detached",
    verdict: "Broken at rest: one step is open at most",
    buggy: fuzzer(Buggy.init), repaired: fuzzer(Repaired.init))
}
