// SPDX-License-Identifier: Apache-2.0

/// Most likely mistakes in an app, which may be meant in a unit test: observed as misuse is, they stop nothing.
extension Misuse {
  /// Notifies the observers; a debug build without any prints the message.
  private static func warn(
    rule: String, routers: [String], child: ObjectIdentifier? = nil, message: String, at callSite: CallSite?
  ) {
    let misuse = Misuse(rule: rule, routers: routers, child: child, message: message, callSite: callSite)
    LifecycleObservation.notify(.misuse(misuse))
    #if DEBUG
    guard !LifecycleObservation.isWatched else { return }
    print("warning: \(misuse)" + (callSite.map { ", called at \($0.fileID):\($0.line)" } ?? ""))
    #endif
  }

  /// Warns of a detach from a router that the child was not attached to last (T3).
  static func warnOfDetach(_ child: any Routing, from parent: any Routing, at callSite: CallSite?) {
    let (name, parentName) = ("\(type(of: child))", "\(type(of: parent))")
    warn(
      rule: "T3",
      routers: [name, parentName],
      child: ObjectIdentifier(child),
      message: """
        detachChild was called on \(parentName) with \(name), which is attached to another router, so nothing was \
        detached. Most likely the wrong parent was asked. Call it on the router that has attached \(name).
        """,
      at: callSite
    )
  }

  /// Warns of a child that is active below a root that was not launched (T7).
  static func warnUnlaunched(_ root: any Routing, child: any Routing, isShown: Bool, at callSite: CallSite?) {
    let (name, rootName) = ("\(type(of: child))", "\(type(of: root))")
    warn(
      rule: "T7",
      routers: [name, rootName],
      child: ObjectIdentifier(child),
      message: """
        \(beginning(isShown: isShown)) \(rootName), which was never activated, so \(name) is active below it. Most likely \
        launch(from:) was not called. Call it before anything is attached, unless this is a unit test of the router.
        """,
      at: callSite
    )
  }

  /// Warns of an interactor whose own method does not make the transition for which it was called (L3).
  static func warnOfRefusal(by interactor: any Interactable, activates: Bool, isCalledElsewhere: Bool) {
    let name = "\(type(of: interactor))"
    let (method, state) = activates ? ("activate", "inactive") : ("deactivate", "active")
    warn(
      rule: "L3",
      routers: [name],
      message: isCalledElsewhere
        ? """
        \(name).\(method)() has returned and has called its lifecycle in another task only, which the tree does not wait \
        for, so the interactor stays \(state). Call lifecycle.\(method)(invoking:) in the method itself, not in a task \
        that it starts.
        """
        : """
        \(name).\(method)() has returned and has not called its lifecycle, so the interactor stays \(state). Most \
        likely the method was overridden by mistake. Remove it, or call lifecycle.\(method)(invoking:) in it.
        """,
      at: nil
    )
  }
}
