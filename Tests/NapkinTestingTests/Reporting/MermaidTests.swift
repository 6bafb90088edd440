// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct MermaidTests {
  @Test func `tasks and actors take part, and each job is an arrow`() {
    #expect(
      Mermaid.sequenceDiagram(of: .lostUpdate) == """
        sequenceDiagram
          participant T0 as body
          participant T1 as task 1
          participant T2 as task 2
          participant A1 as Counter
          T0-)T0: starts
          T0->>T0: 1
          T0-)T1: starts
          T0-)T2: starts
          T1->>T1: 2
          T1->>A1: 3
          T2->>T2: 4 ◆ #35;2 of 3 ready
          T2->>A1: 5
          T2->>A1: 6
          T2->>T2: 7
          T1->>A1: 8
          T0->>T0: 9
          T0->>A1: 10
          T0->>T0: 11
          Note over T0: ✘ Expectation failed: (value → 1) == 2
        """
    )
  }

  @Test func `nothing that people write breaks out of its place`() {
    let log = EventLog.make { log in
      log.name(task: 1, "a; b\nparticipant X")
      log.ran(1, 1)
      log.then(.note("<script> #1 \"quoted\" %% comment; end"), 1, 1)
      log.then(.note(""), 1, 1)
    }
    #expect(
      Mermaid.sequenceDiagram(of: log) == """
        sequenceDiagram
          participant T1 as a#59; b<br/>participant X
          T1->>T1: 1
          Note over T1: #lt;script#gt; #35;1 #quot;quoted#quot; #37;#37; comment#59; end
          Note over T1: –
        """
    )
  }

  @Test func `a long execution is shown from its end, and what came before is counted`() {
    let log = EventLog.make { log in for step in 1...1_000 { log.ran(step, 1) } }
    #expect(
      Mermaid.sequenceDiagram(of: log, limit: 2) == """
        sequenceDiagram
          participant T1 as task 1
          Note over T1: 998 earlier events are left out
          T1->>T1: 999
          T1->>T1: 1000
        """
    )
    #expect(Mermaid.sequenceDiagram(of: log).split(separator: "\n").count == 403)
  }

  @Test func `timers, cancellations, data and lifecycle are notes`() {
    let log = EventLog.make { log in
      log.then(.timerFired, 1, 1, at: .milliseconds(1_500))
      log.then(.cancelled, 1, 1)
      log.then(.drew(label: "taps", value: "3"), 1, 1)
      log.then(.lifecycle(.other("Home is active")), 1, 1)
      log.ran(2, 1, .main)
    }
    #expect(
      Mermaid.sequenceDiagram(of: log) == """
        sequenceDiagram
          participant T1 as task 1
          participant M as MainActor
          Note over T1: 1.5 s: its sleep ends
          Note over T1: cancelled by the exploration
          Note over T1: draws taps = 3
          Note over T1: Home is active
          T1->>M: 2
        """
    )
  }
}
