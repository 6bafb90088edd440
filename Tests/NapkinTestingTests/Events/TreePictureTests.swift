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
  @Test func `a picture is what the events up to a moment tell, in the order of attaching`() {
    let picture = TreePicture(of: .smallTree, after: 6)
    #expect(picture.roots.map(\.name) == ["Root"])
    #expect(picture.children(of: 1).map(\.name) == ["Feed", "Home"])
  }

  @Test func `who is gone is in no picture after that`() {
    #expect(TreePicture(of: .smallTree).children(of: 1).map(\.name) == ["Home"])
  }

  @Test func `a napkin whose parent is gone is a root`() {
    var picture = TreePicture(of: .smallTree)
    picture.apply(.gone(1))
    #expect(picture.roots.map(\.name) == ["Home"])
  }
}
