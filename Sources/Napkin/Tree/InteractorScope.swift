// SPDX-License-Identifier: Apache-2.0

/// What others may know of an interactor's life: whether it is active now, and when that changes.
public protocol InteractorScope: AnyObject, Sendable {
  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  var isActive: Bool { get async }

  /// The present value, then every change once, in order, until the interactor is released.
  nonisolated var isActiveStream: AsyncStream<Bool> { get }
}
