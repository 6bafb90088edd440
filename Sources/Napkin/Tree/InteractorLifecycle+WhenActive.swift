// SPDX-License-Identifier: Apache-2.0

extension InteractorLifecycle {
  /// Waits until the interactor is active and its `didBecomeActive()` has returned.
  ///
  ///     try await account.lifecycle.whenActive()
  ///     await account.openInvoice(number)
  ///
  /// An interactor that resigns, or is about to, does not count as active. As after every `await`, it may be inactive again
  /// when the caller continues. From inside `didBecomeActive()` of the same interactor, and from plain tasks that are
  /// started there while it runs, the call returns at once; a bound task waits, unless the callback waits for that task.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled, or if the interactor's router, or one above it, leaves its
  ///   parent, is released, or is not attached by a ``ChildSlot`` after all, since a later call has won, while the call waits.
  ///   At once if that was so before, and no call has asked for it since: so code that attaches and then waits is not held
  ///   up by a detach in between. The wait continues while the router moves to another parent, and while the interactor is
  ///   inactive because an ancestor is. From inside `willResignActive()` of the same interactor it throws at once.
  public nonisolated(nonsending) func whenActive() async throws(CancellationError) {
    guard !Task.isCancelled else { throw CancellationError() }
    let number = LifecycleObservation.beginWait(for: self)
    let isInside = CallbackFrame.current?.isInside(node) ?? false
    let work = TreeDriver.handle(.whenActive(node, isInside: isInside), onMain: false)
    var isActive = !work.isRefused
    if let waiter = work.waiter {
      await waiter.waitUntilCancelled()
      isActive = waiter.isFulfilled
    }
    LifecycleObservation.notify(
      .activityWaitEnded(ObjectIdentifier(self), wait: number, isActive: isActive, isCancelled: Task.isCancelled))
    if !isActive { throw CancellationError() }
  }
}
