// SPDX-License-Identifier: Apache-2.0

extension InteractorLifecycle {
  /// Makes a lifecycle where a function without arguments is asked for, as in `map(InteractorLifecycle.init)`.
  ///
  /// A call in the source takes the other initializer, which knows the type around it.
  @_disfavoredOverload
  public convenience init() {
    self.init(owner: "an interactor")
  }
}
