// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct MermaidTreeTests {
  @Test func `the tree is drawn as it was at the first issue`() {
    #expect(
      Mermaid.tree(of: .smallTree) == """
        flowchart TD
          N1["Root<br/>active, 1 bound task"]
          N3["Feed<br/>becoming active"]
          N2["Home<br/>active"]
          N1 --> N3
          N1 --> N2
          classDef inactive stroke-dasharray: 4 4
        """
    )
  }

  @Test func `without an issue it is the last moment at which there was a tree`() {
    let log = EventLog.make { log in
      log.then(.tree(.node(TreeNode(number: 1, name: "Root"))), 1, 0)
      log.then(.tree(.gone(1)), 2, 0)
      log.then(.issue("it never loaded"), 2, 0)
    }
    #expect(
      Mermaid.tree(of: log) == """
        flowchart TD
          N1["Root<br/>inactive"]:::inactive
          classDef inactive stroke-dasharray: 4 4
        """
    )
  }

  @Test func `no name breaks out of its place, and a large tree is cut short`() {
    let log = EventLog.make { log in
      for number in 1...5 {
        log.then(.tree(.node(TreeNode(number: number, name: "A\"] --> <b>", state: .active))), 1, 0)
      }
    }
    #expect(
      Mermaid.tree(of: log, limit: 1) == """
        flowchart TD
          N1["A#quot;] --#gt; #lt;b#gt;<br/>active"]
          more["4 more napkins"]:::inactive
          classDef inactive stroke-dasharray: 4 4
        """
    )
  }

  @Test func `an execution without napkins has an empty tree`() {
    #expect(Mermaid.tree(of: .lostUpdate) == "flowchart TD")
  }
}
