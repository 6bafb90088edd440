// SPDX-License-Identifier: Apache-2.0

// A detached router deactivates itself and then its children. In between a child is active below an inactive parent, and
// its call goes to a listener that has already given its resources back.
//
// The pull request, which is open, detaches the children first.
extension Case {
  static let parentLeavesFirst = Case(
    "parent-leaves-first", of: "uber/RIBs 612",
    .plain, .lifecycle, decides: "detach"
  ) {
    let version = Version.current
    let parent = await Node("trip", parent: nil)
    let child = await Node("driver", parent: parent)
    await parent.activate()
    await child.activate()
    async let call: Void = child.driverArrived()
    async let detach: Void = parent.detach(version)
    _ = await (call, detach)
    let heard = await parent.heardWhileInactive
    try expect(heard == 0, "an inactive parent hears no child")
  }
}

@MainActor private final class Node {
  private let name: String
  private weak var parent: Node?
  private var children: [Node] = []
  private var isActive = false
  private(set) var heardWhileInactive = 0

  init(_ name: String, parent: Node?) {
    self.name = name
    self.parent = parent
    parent?.children.append(self)
  }

  func activate() { isActive = true }

  func driverArrived() async {
    guard isActive else { return }
    parent?.hear()
  }

  private func hear() { if !isActive { heardWhileInactive += 1 } }

  func detach(_ version: Case.Version) async {
    if version == .before { await resign() }
    for child in children { await child.detach(version) }
    children = []
    if version == .after { await resign() }
  }

  /// Resigns, and waits for the views to leave the screen.
  private func resign() async {
    isActive = false
    await Task.yield()
  }
}
