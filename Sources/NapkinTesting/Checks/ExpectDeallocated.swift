// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that the objects that a closure returns are deallocated when they are released.
///
///     await expectDeallocated {
///       let router = await HomeBuilder(dependency: dependency).build(withListener: listener)
///       await parent.attachChild(router)
///       await parent.detachChild(router)
///       return router
///     }
///
/// The closure may return an object, or a tuple, an optional or a collection of objects. A result without an object is an
/// issue too, since nothing could be deallocated.
///
/// - Parameters:
///   - timeout: The time that pending clean-up may take, in real time; an exploration waits for its end instead.
///   - sourceLocation: Where the issue is reported, this call by default.
///   - make: Makes an object, uses it, and returns it.
/// - Returns: Whether all objects were deallocated.
@discardableResult
public nonisolated(nonsending) func expectDeallocated<T>(
  within timeout: Duration = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ make: () async throws -> T
) async rethrows -> Bool {
  let witnesses = try await observeResult(of: make)
  guard !witnesses.isEmpty else {
    return recordUnmet(
      "expectDeallocated was given \(T.self), which contains no object, so nothing could be deallocated.",
      likelyCause: "the closure returns another value than the object that it uses.",
      suggestion: "return the router, the interactor or a tuple of them from the closure.", at: sourceLocation)
  }
  if await eventually(within: timeout, { witnesses.allSatisfy { $0.object == nil } }) { return true }
  let remaining = witnesses.filter { $0.object != nil }.map(\.name)
  let tasks = (CurrentExecution.scope?.unendedTasks ?? []).map(\.whereabouts)
  return recordUnmet(
    """
    \(remaining.listed()) \(remaining.count == 1 ? "is" : "are") still alive \(timeout.brief) after the last \
    use\(tasks.isEmpty ? "" : ", and \(tasks.listed(limit: 3)) \(tasks.count == 1 ? "has" : "have") not ended").
    """,
    likelyCause: tasks.isEmpty
      ? "a strong `listener` or `router` closes a cycle, or a task that still runs holds it."
      : "\(tasks.count == 1 ? "that task" : "one of those tasks") holds it, or a strong reference closes a cycle.",
    suggestion: "make the reference weak, or end the task, as in `willResignActive()`.",
    subject: tasks.isEmpty ? nil : .keptObject, at: sourceLocation)
}

private struct Witness {
  weak var object: AnyObject?
  let name: String
}

// In a function of its own, so that no strong reference is left in the frame of the caller.
private nonisolated(nonsending) func observeResult<T>(of make: () async throws -> T) async rethrows -> [Witness] {
  var witnesses: [Witness] = []
  collect(try await make(), into: &witnesses)
  return witnesses
}

private func collect(_ value: Any, into witnesses: inout [Witness]) {
  let type = type(of: value)
  if type is AnyClass {
    let object = value as AnyObject
    guard !witnesses.contains(where: { $0.object === object }) else { return }
    witnesses.append(Witness(object: object, name: String(describing: type)))
    return
  }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .tuple, .optional, .collection, .set, .dictionary:
    for child in mirror.children { collect(child.value, into: &witnesses) }
  default:
    return
  }
}
