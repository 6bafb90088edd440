// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct FuzzContextTests {
  private struct Feature: Sendable { let service: Recorder<Int> }

  @Test func `system and actions of one execution have one context, and the next has another`() async {
    let services = FuzzContext { Recorder<Int>("Service") }
    let seen = Mutex<[ObjectIdentifier: Int]>([:])
    let result = await Fuzzer { Feature(service: services()) }
      .action("call") { _ in services().record(1) }
      .invariant("the same service") { feature in
        seen.withLock { _ = $0.updateValue(feature.service.count, forKey: ObjectIdentifier(feature.service)) }
        return feature.service === services()
      }
      .invariant("a new one for each execution") { $0.service.count <= 4 }
      .run(executions: 50, actions: 1...4, seed: 1)
    #expect(result.failure == nil)
    #expect(seen.withLock { $0.values.contains { $0 > 0 } })
  }

  @Test func `a context is released with its execution, and not before`() async {
    final class Service: Sendable {
      let ends: Recorder<Int>
      init(_ ends: Recorder<Int>) { self.ends = ends }
      deinit { ends.record(1) }
    }
    let ends = Recorder<Int>()
    let services = FuzzContext { Service(ends) }
    let result = await Fuzzer { services.callAsFunction().ends.count }
      .action("look") { #expect(services().ends.count == $0) }
      .run(executions: 20, seed: 1)
    #expect(result.failure == nil)
    #expect(ends.count == 20)
  }

  @Test func `a context outside an execution is an issue at the line of the call`() async {
    let services = FuzzContext { 7 }
    let line = #line + 1
    let records = await issueRecords { #expect(services() == 7) }
    #expect(records.map(\.line) == [line])
    #expect(records.first?.text.hasPrefix("A FuzzContext<Int> was called outside an execution.") == true)
  }
}
