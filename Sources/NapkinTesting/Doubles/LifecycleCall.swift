// SPDX-License-Identifier: Apache-2.0

/// What a `MockInteractor` is told by its lifecycle.
public enum LifecycleCall: Sendable, Hashable, CaseIterable {
  /// The interactor has become active.
  case didBecomeActive
  /// The interactor is about to become inactive.
  case willResignActive
}
