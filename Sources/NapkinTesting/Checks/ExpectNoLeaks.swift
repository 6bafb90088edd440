// SPDX-License-Identifier: Apache-2.0
internal import Napkin
public import Testing

/// Expects that whatever a body makes is gone after it: interactors, routers, and the doubles of the kit, by name.
///
///     await expectNoLeaks {
///       let home = await makeHome()
///       await home.router.routeToProfile()
///     }
///
/// It is what `.leakChecked` does for a whole test, and works from an `XCTestCase` too. A body that makes nothing of the
/// kind is an issue, since the check would mean nothing. What a detached task makes is not seen.
///
/// - Parameters:
///   - timeout: How long clean-up that is on its way may take, in real time; an exploration waits for its end instead.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - body: Makes and uses what should be gone afterwards; if it throws, nothing is checked.
/// - Returns: True if everything is gone.
@discardableResult
public nonisolated(nonsending) func expectNoLeaks(
  within timeout: Duration = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async rethrows -> Bool {
  let ledger = LeakLedger()
  LifecycleObservation.add(ledger)
  defer { LifecycleObservation.remove(ledger) }
  try await Lifetime.$ledger.withValue(ledger) { try await body() }
  guard ledger.total > 0 else {
    Diagnostic(
      .expectation,
      "A leak check had nothing to check: no interactor, router or double was made.",
      likelyCause: "everything was made before the check began, by another test, or by a detached task.",
      suggestion: "make what should be gone inside the check, or take the check away."
    ).record(at: sourceLocation)
    return false
  }
  if await ledger.isCleared(within: timeout) { return true }
  let alive = ledger.alive
  Diagnostic(
    .expectation,
    """
    \(alive.listed()) \(alive.count == 1 ? "is" : "are") still alive \(timeout.brief) after the end; \
    \(ledger.total) were made.
    """,
    likelyCause: "a strong `listener` or `router` closes a cycle, or a task that still runs holds it.",
    suggestion: "make the reference weak, end the task in `willResignActive()`, and deactivate what was activated."
  ).record(at: sourceLocation)
  return false
}
