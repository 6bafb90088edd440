// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an action activates an inactive interactor.
///
///     await expectActivates(profileInteractor) { await router.routeToProfile() }
@discardableResult
public nonisolated(nonsending) func expectActivates(
  _ interactor: any Interactable,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  try await expectChange(of: interactor, toActive: true, at: sourceLocation, action)
}

/// Expects that an action deactivates an active interactor.
///
///     await expectDeactivates(profileInteractor) { await router.routeBackFromProfile() }
@discardableResult
public nonisolated(nonsending) func expectDeactivates(
  _ interactor: any Interactable,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  try await expectChange(of: interactor, toActive: false, at: sourceLocation, action)
}

private nonisolated(nonsending) func expectChange(
  of interactor: any Interactable,
  toActive isActive: Bool,
  at sourceLocation: SourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  let name = String(describing: type(of: interactor))
  let state = isActive ? "active" : "inactive"
  guard await interactor.lifecycle.isActive != isActive else {
    Diagnostic(
      .expectation,
      "\(name) is \(state) already before the action.",
      likelyCause: "the setup of the test, or an earlier action, has done it.",
      suggestion: "bring it into the other state first, or check another interactor."
    ).record(at: sourceLocation)
    return false
  }
  try await action()
  if await interactor.lifecycle.isActive == isActive { return true }
  Diagnostic(
    .expectation,
    "\(name) is not \(state) after the action.",
    likelyCause: isActive
      ? "its router was not attached, or is below a router with a deactivated interactor."
      : "its router was not detached, or another one was.",
    suggestion: "look at the tree with `TreeSnapshot(of: root)` before and after."
  ).record(at: sourceLocation)
  return false
}
