// SPDX-License-Identifier: Apache-2.0
// Says which ways to suspend come to the runtime's hook for enqueued jobs, where nothing takes their place:
// swiftc -parse-as-library HookQuestion.swift && ./HookQuestion

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

private typealias Original = @convention(thin) (UnownedJob) -> Void
private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

private let calls = Atomic(0)

@main enum HookQuestion {
  static func main() async {
    for name in ["", "WithDelay", "WithDeadline"] {
      let symbol = "swift_task_enqueueGlobal\(name)_hook"
      print("\(symbol): \(dlsym(dlopen(nil, 0), symbol) == nil ? "none" : "there")")
    }
    guard let variable = dlsym(dlopen(nil, 0), "swift_task_enqueueGlobal_hook") else { return }
    let hook: Hook = { job, original in
      calls.add(1, ordering: .relaxed)
      original(job)
    }
    variable.assumingMemoryBound(to: Hook?.self).pointee = hook
    await count("Task {}") { await Task { @concurrent in }.value }
    await count("Task.yield()") { await Task.yield() }
    await count("Task.sleep(nanoseconds:)") { try? await Task.sleep(nanoseconds: 1_000_000) }
    await count("Task.sleep(for:)") { try? await Task.sleep(for: .milliseconds(1)) }
  }

  // Off the main actor, so that nothing comes to the hook but what the body does.
  @concurrent private static func count(_ name: String, _ body: @Sendable () async -> Void) async {
    let before = calls.load(ordering: .relaxed)
    for _ in 0..<10 { await body() }
    let count = calls.load(ordering: .relaxed) - before
    print("\(name), ten times: \(count < 10 ? "not " : "")seen by the hook (\(count) calls)")
  }
}
