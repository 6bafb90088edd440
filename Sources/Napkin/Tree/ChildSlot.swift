// SPDX-License-Identifier: Apache-2.0

/// A place for one child of a router: of all that is shown in it, the last stays.
///
///     final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
///       private lazy var screen = ChildSlot<any ProfileRouting>(of: self) { [viewController] _, profile in
///         await viewController.present(profile?.viewControllable)
///       }
///
///       func routeToProfile() async {
///         await screen.show { await profileBuilder.build(withListener: interactor) }
///       }
///
///       func routeBack(from profile: any ProfileRouting) async { await screen.clear(profile) }
///     }
///
/// Calls count in the order in which they were called, however long each one builds. A child that a later call has
/// superseded is never attached, or is detached again, and nothing keeps it. A child is attached when the earlier children
/// have left, except where a callback of one of them makes the call and waits for it: that child leaves when its callback
/// has returned, and every other call waits for it. A call from inside a callback never waits for that callback.
///
/// The slot does not keep its parent alive. Once the parent is released, the slot builds, attaches and shows nothing more.
/// Beside its detach and its attach, a change takes the time of a few references.
@MainActor
public final class ChildSlot<Child: Sendable> {
  /// Shows the views of a change: the child that leaves, and the one that is there instead.
  public typealias Transition = @MainActor (_ leaving: Child?, _ coming: Child?) async -> Void

  /// The child that is attached, or on its way.
  ///
  /// While a next child is built it is the one before; it is nil as soon as ``clear()`` is called, or the child is to leave
  /// by another way. The slot forgets such a child when it has left.
  public var child: Child? { place.present as? Child }

  /// Whether a child is attached, on its way, or being built.
  ///
  /// A caller that is to do nothing then, as a second tap is, looks at it before the call:
  ///
  ///     guard !screen.isTaken else { return }
  ///     await screen.show { await profileBuilder.build(withListener: interactor) }
  ///
  /// It is false as soon as ``clear()`` is called, or the child is to leave by another way: a tap after that is not lost,
  /// and its child is attached when the one before has left.
  public var isTaken: Bool { place.isTaken }

  let place: SlotPlace

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - parent: The router that owns the slot, and that the children are attached to. It is not kept alive.
  ///   - transition: Called on the main actor when a child is attached, and when one has left, by whatever way, and none
  ///     comes. It is called once for each change and never twice at a time, in a task that nothing cancels, and may wait
  ///     for an animation. The child that leaves is the one that came in the call before, so a child that was superseded
  ///     before its view appeared is in no call. The slot keeps the closure: capture the router weakly.
  public init(of parent: any Routing, transition: Transition? = nil) {
    let views = transition.map { transition in
      SlotViews { await transition($0 as? Child, $1 as? Child) }
    }
    place = SlotPlace(of: parent, views)
  }

  /// Builds a child, detaches the one that is there, and attaches the new one.
  ///
  ///     guard let table = await screen.show({ await tableBuilder.build(withListener: interactor) }) else { return }
  ///     await table.open(link)
  ///
  /// The place is taken before anything is built, so a later call wins even if its child is built sooner. The present child
  /// stays attached while the new one is built. To show the present child again changes nothing, and returns when it is
  /// active and loaded. To show a child that was attached by another way is misuse, as it is to attach it twice: it is
  /// reported at the place of the call, and the present child stays.
  ///
  /// The closure makes the child, which has to be a ``Routing``; else the process stops. A child that a later call
  /// superseded before it was attached is released, and was never active; a `whenActive()` of it throws.
  ///
  /// - Returns: The child, attached and with its views shown. Nil if a later call was made before this one returned, if
  ///   the child was detached by another way, if it was misuse, or if the parent is released. A call from inside a callback
  ///   or a transition does not wait for a transition that is under way already.
  @discardableResult
  public func show(
    _ build: @MainActor () async -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> Child? {
    guard place.parent != nil else { return nil }
    let call = place.begin()
    let child = await build()
    let router = Self.router(child)
    guard call == place.calls, let parent = place.parent else { return passOver(router) }
    let number = router.interactable.lifecycle.node
    // Read once: an unowned reference costs more than its use.
    let node = place.node
    if node?.isFree(number) != true, let mistake = place.mistake(of: router, joining: parent) {
      let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
      place.report(mistake, of: router, joining: parent, for: call, at: callSite)
      return nil
    }
    place.note(.built(call, child: ObjectIdentifier(router)))
    place.decide(router, for: call)
    while let leaving = place.nextToLeave(before: call, for: router) {
      if let node {
        if let waiter = node.detachRequested(leaving.router, from: parent) { await waiter.waitOnMain() }
        node.detachReturned(leaving.router, from: parent)
      } else {
        await parent.detachChild(leaving.router)
      }
      place.detachReturned(leaving, to: call)
    }
    guard place.isNewest(call) else { return passOver(router) }
    if place.enterNewest(parent) {
      place.note(.attaches(call, child: ObjectIdentifier(router)))
      if let node {
        let waiter = node.attachRequested(
          router, number, to: parent, for: place,
          callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        if let waiter { await waiter.waitOnMain() }
        node.attachReturned(router, to: parent)
      } else {
        await parent.attachChild(router) as Void
      }
    } else if let waiter = (node ?? RouterNode.knownNode(of: parent))?.attachAwaited(number) {
      await waiter.waitOnMain()
    }
    let isThere = place.isNewest(call) && (node?.wants(router, number) ?? place.has(router, parent))
    if !isThere {
      guard place.isNewest(call) || call == place.calls else { return nil }
      place.forget(router)
    }
    if let views = place.views { await views.show(place.newest) }
    // Something else may have detached it while its views appeared.
    let isShown = isThere && call == place.calls && (place.views == nil || place.present != nil)
    place.note(.returned(call, isShown: isShown))
    return isShown ? child : nil
  }

  /// Detaches the child that is there, and supersedes every call of ``show(_:fileID:filePath:line:column:)`` that has not
  /// returned.
  ///
  /// It returns when the child has left and its views are gone, or a later call has superseded it. The views go when the
  /// child has left, even while a later call builds. A call from inside a callback or a transition does not wait for a
  /// transition that is under way already.
  public func clear() async {
    let call = place.beginEmpty()
    guard let parent = place.parent else { return place.endWithParent() }
    while let leaving = place.nextToLeave(before: call, for: nil) {
      await parent.detachChild(leaving.router)
      place.detachReturned(leaving, to: call)
    }
    place.note(.cleared(call))
    // The views go while a later call builds, too: that may take long, or come to nothing.
    if place.newest == nil { await place.views?.show(nil) }
  }

  /// Detaches a child if it is the one that is there, or on its way; else it does nothing.
  ///
  /// A report of a child, or of its view, may come late, when another child has been shown. So it says which child it is
  /// about:
  ///
  ///     func weatherDidClose(_ weather: any WeatherRouting) async { await screen.clear(weather) }
  ///
  /// A call of ``show(_:fileID:filePath:line:column:)`` that builds the next child goes on. It returns as ``clear()`` does.
  public func clear(_ child: Child) async {
    let router = Self.router(child)
    guard place.present === router else { return }
    guard place.isUndecided, let parent = place.parent else { return await clear() }
    place.empty()
    await parent.detachChild(router)
    if place.newest == nil { await place.views?.show(nil) }
  }

  /// Has `whenActive()` of a child that is not attached throw, and returns no child.
  private func passOver(_ router: any Routing) -> Child? {
    place.passOver(router)
    return nil
  }

  private static func router(_ child: Child) -> any Routing {
    guard let router = child as? any Routing else {
      Misuse.stop(
        rule: "M1",
        message: """
          A slot was handed a \(type(of: child as Any)), which is not a Routing, so its parent has no way to attach it. \
          Build a router, or let the protocol that it is known by refine Routing.
          """)
    }
    return router
  }
}
