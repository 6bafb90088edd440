// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an action makes an interactor active that is not.
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

/// Expects that an action makes an interactor inactive that is active.
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
      "\(name) is \(state) before the action, which was expected to make it so.",
      likelyCause: "the test sets up more than it means to, or an earlier action did it.",
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
      ? "its router was not attached, or stands below one whose interactor was deactivated."
      : "its router was not detached, or another one was.",
    suggestion: "look at the tree with `TreeSnapshot(of: root)` before and after."
  ).record(at: sourceLocation)
  return false
}
