// SPDX-License-Identifier: Apache-2.0

/// The beginning, the loading and the end of a node.
extension RouterNode {
  /// The router is made: from here on the node speaks for it.
  package func begin(of owner: any Routing) {
    id = ObjectIdentifier(owner)
    lifecycle.connect(to: self)
    LifecycleObservation.tell(
      .routerCreated(
        ObjectIdentifier(owner), name: "\(Swift.type(of: owner))", lifecycle: ObjectIdentifier(lifecycle)))
  }

  /// Runs `didLoad()` once; a second caller waits for the first, unless it is inside what the first waits for.
  package func load(_ owner: any NodeOwner) async {
    guard !marks.contains(.isLoaded) else { return }
    if marks.contains(.isLoading) {
      if !enclosesCaller { await withTraffic { $0 }.gate.pass(cancellable: false) }
      return
    }
    marks.insert(.isLoading)
    LifecycleObservation.tell(.loadBegan(ObjectIdentifier(owner)))
    await CallbackToken.runOnMain(lifecycle, kind: .load) { await owner.didLoad() }
    marks.remove(.isLoading)
    marks.insert(.isLoaded)
    LifecycleObservation.tell(.loadEnded(ObjectIdentifier(owner)))
    traffic?.gate.open()
  }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  package func loaded() async {
    guard !marks.contains(.isLoaded), !enclosesCaller else { return }
    await withTraffic { $0 }.gate.pass(cancellable: true)
  }

  /// The router is gone: what stood below resigns in T4's order, the router's own interactor last (T10).
  package func end() {
    if let id { LifecycleObservation.tell(.routerDeinit(id)) }
    lifecycle.disconnect(from: self)
    traffic?.gate.open()
    let children = self.children
    self.children = []
    let interactable = self.interactable
    let visits = Self.visits(of: children.filter { Self.isConcerned($0, .sleep) }, for: .sleep)
    markAsleep(visits)
    for child in children {
      // Only those that are still its own (T13).
      guard let node = RouterNode.known(of: child), node.placement.parent === self else { continue }
      node.placement.orphaned()
      node.forgetForeign()
    }
    if visits.isEmpty, !lifecycle.isActiveNow {
      Remains.bury(children)
    } else {
      Task { @MainActor in
        await Self.deactivate(visits)
        await interactable.deactivate()
        Remains.bury(children)
      }
    }
  }
}

/// Releases what a router leaves behind one by one, since a chain that releases itself exhausts the stack (T12).
///
/// On the main thread the runtime runs an isolated `deinit` at once, inside the one that led to it. `Fixtures/DeepChain`
/// crashes without this; under the test kit's executors, which the runtime takes for others, nothing nests.
@MainActor
package enum Remains {
  private static var routers: [any Routing] = []
  private static var isDigging = false
  /// How many routers ended lately in each other's wake, each of them perhaps inside the release of another.
  private static var burst = 0
  private static let longestBurst = 64

  static func bury(_ children: [any Routing]) {
    guard !children.isEmpty else { return }
    routers.append(contentsOf: children.reversed())
    guard !isDigging else { return }
    burst += 1
    if burst == 1 {
      Task { @MainActor in
        burst = 0
        dig()
      }
    }
    if burst <= longestBurst { dig() }
  }

  /// Releases what is left and counts from nothing, so that an execution neither depends on those before it nor leaves
  /// its remains to a task that only they have.
  package static func startOver() {
    burst = 0
    if !isDigging { dig() }
  }

  private static func dig() {
    isDigging = true
    while routers.popLast() != nil {}
    isDigging = false
  }
}
