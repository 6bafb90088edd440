// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

private let threefold = RunProfile("threefold", executions: 3)
private let counts = Mutex<[String: Int]>([:])
private func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

@Suite(.serialized, .profile(threefold)) struct ProfileOfSuiteTests {
  // Where the environment chooses a profile or a number, that holds in place of the trait.
  private var isFree: Bool {
    guard let settings = try? RunSettings.current() else { return false }
    return settings.executions == nil && settings.timeBudget == nil && settings.replay == nil
      && settings.shard == RunSettings.Shard() && settings.profile.name == "threefold"
  }

  @Test(.interleavings(5)) func `a test has the profile of its suite`() { count("suite") }
  @Test(.interleavings(5), .profile(.standard)) func `a test has a profile of its own`() { count("own") }
  @Test func `explorations of the body have it, too`() async { await explore(executions: 4) { count("body") } }

  // The tests of a serialized suite run in the order of their lines.
  @Test func `as many executions were run under each as it asks for`() {
    let seen = counts.withLock { $0 }
    guard isFree, !seen.isEmpty else { return }
    #expect(seen == ["suite": 15, "own": 5, "body": 12])
  }
}

@Suite struct RunProfileTests {
  @Test func `a profile multiplies what a variable does not set`() {
    RunProfile.$ofTrait.withValue(threefold) {
      #expect(RunProfile { _ in nil } == threefold)
      #expect(RunProfile { ["NAPKIN_PROFILE": "nightly"][$0] } == .nightly)
      #expect(RunProfile { ["CI": "true"][$0] }?.factor == 3)
      #expect(RunProfile { ["CI": "true"][$0] }?.remembers == false)
    }
  }

  @Test func `a profile limits the time, and a shorter limit of the test holds`() async {
    var settings = RunSettings()
    settings.profile = RunProfile("short", executions: 1_000_000, time: .milliseconds(1))
    let result = await Explorer(executions: 1_000).adjusted(by: settings).run { await Task.yield() }
    #expect(result.failure == nil)
    #expect(result.executions >= 1 && result.executions < 1_000_000_000)
  }

  @Test func `a time ends an exploration that would take longer, after one execution at least`() async {
    let result = await Explorer(executions: .max, time: .nanoseconds(1)).run { await Task.yield() }
    #expect(result.failure == nil)
    #expect(result.executions >= 1)
  }

  @Test func `a time that is not reached changes nothing`() async {
    #expect(await Explorer(executions: 20, time: .seconds(3_600)).run { await Task.yield() }.executions == 20)
  }

  @Test func `a time or a profile that nothing could follow is named`() async {
    let result = await Explorer(time: .zero).run {}
    #expect(result.failure?.messages.first?.hasPrefix("Explorer(time: 0.0 seconds) leaves no time") == true)
    #expect(RunProfile("none", executions: 0).misuse?.summary.contains("executions: 0") == true)
    #expect(RunProfile("none", time: .zero).misuse?.summary.contains("time: 0.0 seconds") == true)
    let misuse = #expect(throws: Diagnostic.self) {
      try RunProfile.$ofTrait.withValue(RunProfile("none", executions: 0)) { try RunSettings { _ in nil } }
    }
    #expect(misuse?.summary.hasPrefix("RunProfile(\"none\", executions: 0)") == true)
  }
}
