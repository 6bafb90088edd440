// SPDX-License-Identifier: Apache-2.0

extension Canary {
  /// All of them, by name.
  public static let all: [Canary] = [
    AttachInInit.canary,
    BoundTooEarly.canary,
    CallbackCalledByHand.canary,
    DeafTask.canary,
    DoubleTap.canary,
    ForgottenDetach.canary,
    HalfSwap.canary,
    HandlerKeepsSelf.canary,
    KeysOutOfOrder.canary,
    LateClear.canary,
    LateLogin.canary,
    LocksInTwoOrders.canary,
    LostContinuation.canary,
    PageLoadedTwice.canary,
    PaidTwice.canary,
    PushedBelowItself.canary,
    RestartedUnderSleeper.canary,
    SavedTooLate.canary,
    StaleResults.canary,
    StaleRouter.canary,
    StillListening.canary,
    StrongListener.canary,
    StrongRouter.canary,
    StrongViewListener.canary,
    StuckActivation.canary,
    TabTappedTwice.canary,
    ToastTimer.canary,
    TokenRefreshedTwice.canary,
    UnawaitedDetach.canary,
    UnboundTask.canary,
    UncheckedCart.canary,
    WorkAfterResign.canary,
  ]
}
