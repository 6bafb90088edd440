// SPDX-License-Identifier: Apache-2.0

extension Misuse {
  /// The ways in which an attach can be wrong (T2).
  enum Placement {
    case itself
    case ancestor
    case attached(to: Any.Type)
  }

  static func report(_ mistake: Placement, child: any Routing, parent: any Routing, at callSite: CallSite?) {
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
    case .attached(let owner):
      routers.append("\(owner)")
      message = """
        attachChild was called on \(parentName) with \(name), which is attached to \(owner) already. Most likely two \
        calls raced past the same check, or the router was not detached. Detach it first, or keep the first call's.
        """
    }
    report(rule: "T2", routers: routers, message: message, at: callSite)
  }

  /// Reports a subtree that does not come to rest while its top leaves, which nobody waits for any longer.
  @MainActor
  static func report(restless child: any Routing, rounds: Int) {
    let name = "\(type(of: child))"
    report(
      rule: "T4",
      routers: [name],
      message: """
        \(name) leaves its parent, and after \(rounds) rounds of resignations something below it is active again. Its \
        callbacks or tasks go on attaching or activating what is below. Stop them before the detach, or in \
        willResignActive().
        """,
      at: nil
    )
  }
}
