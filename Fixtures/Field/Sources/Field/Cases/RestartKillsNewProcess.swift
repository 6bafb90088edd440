// SPDX-License-Identifier: Apache-2.0

// Stopping a proxy marks it as stopped at once, and kills what listens at its port in a detached task. A start that
// follows at once has its new process killed by that task.
//
// The pull request waits for 150 ms, which it calls a smaller window; here the repair waits for the task.
extension Case {
  static let restartKillsNewProcess = Case(
    "restart-kills-new-process", of: "nguyenphutrong/quotio 93", .plain, .lifecycle, decides: "kill"
  ) {
    let version = Version.current
    let machine = Machine()
    let manager = await ProxyManager(version, machine)
    await manager.start()
    await manager.stop()
    await manager.start()
    await manager.settled()
    let listening = await machine.isListening(at: 8080)
    try expect(listening, "a proxy that was started again listens")
  }
}

private actor Machine {
  private var ports: Set<Int> = []
  func listen(at port: Int) { ports.insert(port) }
  func kill(at port: Int) { ports.remove(port) }
  func isListening(at port: Int) -> Bool { ports.contains(port) }
}

@MainActor private final class ProxyManager {
  private let version: Case.Version
  private let machine: Machine
  private var isRunning = false
  private var stopping: Task<Void, Never>?

  init(_ version: Case.Version, _ machine: Machine) {
    self.version = version
    self.machine = machine
  }

  func start() async {
    guard !isRunning else { return }
    if version == .after { await stopping?.value }
    isRunning = true
    await machine.listen(at: 8080)
  }

  func stop() {
    guard isRunning else { return }
    isRunning = false
    stopping = Task.detached { [machine] in await machine.kill(at: 8080) }
  }

  func settled() async { await stopping?.value }
}
