// SPDX-License-Identifier: Apache-2.0
internal import Napkin
public import Testing

/// Expects that the interactors, routers and doubles that a body makes are deallocated after it.
///
///     await expectNoLeaks {
///       let home = await makeHome()
///       await home.router.routeToProfile()
///     }
///
/// `.leakChecked` does the same for a whole test; this function works from an `XCTestCase` too. A body that makes no such
/// object is an issue, since nothing would be checked. In a simulated execution the issue names the properties that close a
/// cycle. Objects that a detached task makes are not observed. Where something is left after the body, a double that was
/// called in it forgets the calls that hold an object or a closure, so that its record keeps nothing alive.
///
/// - Parameters:
///   - timeout: The time that pending clean-up may take, in real time; an exploration waits for its end instead.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - body: Makes and uses the objects; if it throws, nothing is checked.
/// - Returns: Whether everything was deallocated.
@discardableResult
public nonisolated(nonsending) func expectNoLeaks(
  within timeout: Duration = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async rethrows -> Bool {
  let tracker = LeakTracker()
  LifecycleObservation.add(tracker)
  defer { LifecycleObservation.remove(tracker) }
  try await Lifetime.$observer.withValue(tracker) { try await body() }
  if !tracker.alive.isEmpty { tracker.recorded.forgetObjects() }
  guard tracker.total > 0 else {
    return recordUnmet(
      "A leak check had nothing to check: no interactor, router or double was made.",
      likelyCause: "everything was made before the check began, by another test, or by a detached task.",
      suggestion: "make the objects inside the check, or remove the check.", at: sourceLocation)
  }
  if await eventually(within: timeout, { tracker.alive.isEmpty }) { return true }
  let (alive, cycle) = (tracker.alive, tracker.cycle)
  return recordUnmet(
    """
    \(alive.listed()) \(alive.count == 1 && alive[0].first?.isNumber != true ? "is" : "are") still alive \(timeout.brief) after the end; \
    \(tracker.total) were made.
    """,
    likelyCause: cycle.isEmpty
      ? "a strong `listener` or `router` closes a cycle, or a task that still runs holds it."
      : "strong references close a cycle: \(cycle.listed()).",
    suggestion: cycle.isEmpty
      ? "make the reference weak, end the task in `willResignActive()`, and deactivate what was activated."
      : cycle.contains { $0.contains(".children[") }
        ? "find what keeps the parent: its child is attached as long as the parent is there, or until it is detached."
        : "make one of the properties named here weak, or set it to nil in `willResignActive()`.", at: sourceLocation)
}
