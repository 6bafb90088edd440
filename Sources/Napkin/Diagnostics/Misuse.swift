// SPDX-License-Identifier: Apache-2.0

/// A call that violates the contract: the tree stays as it was, and the misuse is reported to the developer.
package struct Misuse: Sendable, CustomStringConvertible {
  /// The rule of the contract that was broken, such as "T2".
  package let rule: String

  /// The types of the routers involved, that of the argument first.
  package let routers: [String]

  /// The router that was to be attached; nil where the misuse is of another kind.
  package let child: ObjectIdentifier?

  /// Three sentences: what happened, the likely cause, and what to do.
  package let message: String

  /// The place of the call; nil where the call came through the protocol, which does not pass it.
  package let callSite: CallSite?

  /// The message with its rule, as it is printed.
  package var description: String { "\(message) (\(rule))" }

  /// Reports a misuse: an observer handles it, else it stops a debug build; a release build goes on.
  static func report(
    rule: String, routers: [String], child: ObjectIdentifier? = nil, message: String, at callSite: CallSite?
  ) {
    let misuse = Misuse(rule: rule, routers: routers, child: child, message: message, callSite: callSite)
    LifecycleObservation.notify(.misuse(misuse))
    guard !LifecycleObservation.handle(misuse) else { return }
    #if DEBUG
    fatalError(misuse.description + (callSite.map { ", called at \($0.fileID):\($0.line)" } ?? ""))
    #endif
  }
}

/// Where in the caller's source a call was written.
package struct CallSite: Sendable {
  package let fileID: String
  package let filePath: String
  package let line: Int
  package let column: Int
}

extension Misuse {
  /// Reports a misuse after which there is nothing to return, then stops the process, in release builds too.
  static func stop(rule: String, message: String) -> Never {
    report(rule: rule, routers: [], message: message, at: nil)
    fatalError("\(message) (\(rule))")
  }

  /// Stops the process for a method that a subclass has to override and does not.
  static func stop(notOverridden method: String, by object: AnyObject) -> Never {
    let type: any AnyObject.Type = type(of: object)
    stop(
      rule: "M1",
      message: """
        \(type) does not override \(method), which was called. Its superclass leaves the work to it and has no \
        result of its own. Override \(method) in \(type), without calling super.
        """
    )
  }
}

extension Misuse {
  /// The words that a message begins with, for an attach by a slot if the child `isShown`.
  static func beginning(isShown: Bool) -> String {
    isShown ? "ChildSlot.show was called on a slot of" : "attachChild was called on"
  }

  /// Reports an attach that is misuse (T2), by a slot if the child `isShown`.
  static func report(
    _ mistake: TreeMachine.Mistake, child: any Routing, parent: any Routing, ownerName: String, isShown: Bool,
    at callSite: CallSite?
  ) {
    let name = "\(type(of: child))"
    let parentName = "\(type(of: parent))"
    let call = beginning(isShown: isShown)
    var routers = [name, parentName]
    let message: String
    switch mistake {
    case .itself:
      routers = [name]
      message = """
        \(call) \(name) with that same router. Most likely the wrong variable was passed. \
        Attach the router that was built for the child.
        """
    case .ancestor:
      message = """
        \(call) \(parentName) with \(name), which stands above it. Most likely parent and child were \
        confused. Detach \(name) from its parent, and build a new router for the child.
        """
    case .attached:
      routers.append(ownerName)
      let (cause, advice) =
        isShown
        ? ("it was attached by hand, or is shown in another slot", "Detach it first, or clear that slot.")
        : (
          "two calls raced past the same check, or the router was not detached",
          "Detach it first, or keep the first call's."
        )
      message = """
        \(call) \(parentName) with \(name), which is attached to \(ownerName) already. Most likely \(cause). \(advice)
        """
    }
    report(rule: "T2", routers: routers, child: ObjectIdentifier(child), message: message, at: callSite)
  }

  /// Reports an interactor whose `lifecycle` is another one each time that it is read.
  static func reportComputed(lifecycleOf interactor: any Interactable, by router: any Routing) {
    let name = "\(type(of: interactor))"
    report(
      rule: "M1",
      routers: ["\(type(of: router))"],
      message: """
        The lifecycle of \(name) is another one each time that it is read. Most likely it is a computed property. \
        Store it: nonisolated let lifecycle = InteractorLifecycle()
        """,
      at: nil
    )
  }

  /// Reports an interactor that two routers share.
  static func reportShared(interactor: any Interactable, by router: any Routing) {
    let name = "\(type(of: router))"
    report(
      rule: "T2",
      routers: [name],
      message: """
        \(name) was made for a \(type(of: interactor)) that another router has already. Most likely a builder keeps the \
        interactor. Make a new interactor for each router.
        """,
      at: nil
    )
  }
}
