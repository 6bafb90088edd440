// SPDX-License-Identifier: Apache-2.0

extension Misuse {
  /// Reports an attach that is wrong (T2).
  static func report(
    _ mistake: TreeMachine.Mistake, child: any Routing, parent: any Routing, ownerName: String, at callSite: CallSite?
  ) {
    let name = "\(type(of: child))"
    let parentName = "\(type(of: parent))"
    var routers = [name, parentName]
    let message: String
    switch mistake {
    case .itself:
      routers = [name]
      message = """
        attachChild was called on \(name) with that same router. Most likely the wrong variable was passed. \
        Attach the router that was built for the child.
        """
    case .ancestor:
      message = """
        attachChild was called on \(parentName) with \(name), which stands above it. Most likely parent and child were \
        confused. Detach \(name) from its parent, and build a new router for the child.
        """
    case .attached:
      routers.append(ownerName)
      message = """
        attachChild was called on \(parentName) with \(name), which is attached to \(ownerName) already. Most likely two \
        calls raced past the same check, or the router was not detached. Detach it first, or keep the first call's.
        """
    }
    report(rule: "T2", routers: routers, message: message, at: callSite)
  }

  /// Reports an interactor that two routers were made for.
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
