// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

extension EventLog {
  /// A root with two children, of which the first leaves after an issue.
  static let smallTree = make { log in
    log.ran(1, 0)
    log.then(.tree(.node(TreeNode(number: 1, name: "Root", state: .active, tasks: 1))), 1, 0)
    log.then(.tree(.node(TreeNode(number: 2, name: "Home"))), 1, 0)
    log.then(.tree(.node(TreeNode(number: 3, name: "Feed"))), 1, 0)
    log.then(.tree(.node(TreeNode(number: 3, name: "Feed", parent: 1, state: .becoming))), 1, 0)
    log.then(.tree(.node(TreeNode(number: 2, name: "Home", parent: 1, state: .active))), 1, 0)
    log.then(.issue("two at once"), 1, 0)
    log.ran(2, 0)
    log.then(.tree(.gone(3)), 2, 0)
  }
}

@Suite struct TreePictureTests {
  @Test func `the tree after some events has the napkins in the order of attaching`() {
    let picture = TreePicture(of: .smallTree, after: 6)
    #expect(picture.nodes.map(\.name) == ["Root", "Feed", "Home"])
    #expect(picture.nodes.map(\.parent) == [nil, 1, 1])
  }

  @Test func `a deallocated napkin is removed`() {
    #expect(TreePicture(of: .smallTree).nodes.map(\.name) == ["Root", "Home"])
  }
}
