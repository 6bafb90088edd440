// SPDX-License-Identifier: Apache-2.0

// A service that runs a container looks at its state, awaits the machine, and sets the state afterwards. A shutdown during
// the stop finds a container that runs, and the machine is stopped twice.
//
// The repair makes all transitions under a lock that is held over the await.
extension Case {
  static let stoppedTwice = Case(
    "stopped-twice", of: "apple/container 684",
    .plain, .lifecycle, decides: "stop"
  ) {
    let version = Version.current
    let machine = VirtualMachine()
    let service = SandboxService(version, machine)
    async let stop: Void = service.stop()
    async let shutdown: Void = service.shutdown()
    _ = await (stop, shutdown)
    let stops = await machine.stops
    try expect(stops == 1, "a machine is stopped once, not \(stops) times")
  }
}

private actor VirtualMachine {
  private(set) var stops = 0

  func stop() async {
    stops += 1
    await Task.yield()
  }
}

private actor SandboxService {
  private enum State { case running, stopped, shutDown }
  private let version: Case.Version
  private let machine: VirtualMachine
  private var state = State.running
  private var transition: Task<Void, Never>?

  init(_ version: Case.Version, _ machine: VirtualMachine) {
    self.version = version
    self.machine = machine
  }

  func stop() async { await locked { await self.leave(for: .stopped) } }
  func shutdown() async { await locked { await self.leave(for: .shutDown) } }

  private func leave(for next: State) async {
    if state == .running { await machine.stop() }
    state = next
  }

  /// Runs the transitions one after the other, once it is repaired.
  private func locked(_ body: @escaping @Sendable () async -> Void) async {
    guard version == .after else { return await body() }
    let task = Task { [transition] in
      await transition?.value
      await body()
    }
    transition = task
    await task.value
  }
}
