// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct MisuseReportRuleTests {
  private let forged = ForgedEvents()

  private func attach(_ child: ObjectIdentifier, under parent: ObjectIdentifier) -> [LifecycleEvent] {
    [.attachRequested(child: child, parent: parent), .attachReturned(child: child, parent: parent)]
  }

  @Test func `M1 a second parent, an ancestor or the router itself is to be reported`() {
    let wrong = [(forged.below, forged.other), (forged.above, forged.below), (forged.other, forged.other)]
    let names = ["Other.attachChild(Below)", "Below.attachChild(Above)", "Other.attachChild(Other)"]
    for ((child, parent), name) in zip(wrong, names) {
      let events = forged.family + forged.third + attach(child, under: parent)
      #expect(forged.verdicts(events) == ["M1 misuseReport: \(name) was misuse, and was not reported."])
      #expect(forged.verdicts(events, without: [.misuseReport]) == [])
    }
  }

  @Test func `M1 on threads a call by what a deinit has started is judged, too`() async {
    let found = Recorder<String>()
    let (forged, wrong) = (forged, attach(forged.below, under: forged.other))
    let exploration = await Explorer(executions: 1, strategy: .parallel, seed: 1).run {
      let monitors = MonitorSet { rule, message, _ in found.record("\(rule): \(message)") }
      for event in forged.family + forged.third { monitors.lifecycle(event) }
      // A task that a `deinit` starts inherits nothing.
      CurrentExecution.$inherited.withValue(nil) { for event in wrong { monitors.lifecycle(event) } }
    }
    #expect(exploration.failure == nil)
    #expect(found.events == ["M1 misuseReport: Other.attachChild(Below) was misuse, and was not reported."])
  }

  @Test func `M1 a misuse that is reported is sound, and counts for one call`() async {
    let twice = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("attach the root to itself") { root in
        await root.attachChild(root)
        await root.attachChild(root)
      }
    #expect(await twice.ignoring(.misuse).run(executions: 20, seed: 1).failure == nil)
  }
}
