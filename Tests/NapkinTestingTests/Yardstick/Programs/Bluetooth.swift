// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// The Bluetooth driver of Qadeer and Wu, "KISS: keep it simple and sequential" (PLDI 2004): it may be stopped between
  /// the look at the flag and the count that would have kept it alive.
  static let bluetooth = Self(name: "Bluetooth", depth: 3, published: "112 / 36 / 215") {
    let driver = Driver()
    try await finish([
      Task {
        let isStopping = await driver.stopping.get()
        await hop()
        if !isStopping {
          await driver.pending.add(1)
          await hop()
          let isStopped = await driver.stopped.get()
          try demand(!isStopped, "the driver was stopped while it was used")
        }
        await driver.finishOne()
      },
      Task { await driver.stop() },
    ])
  }

  /// Counts first and looks at the flag afterwards.
  static let soundBluetooth = Self(name: "Bluetooth, sound", depth: nil) {
    let driver = Driver()
    try await finish([
      Task {
        await driver.pending.add(1)
        await hop()
        if await !driver.stopping.get() {
          await hop()
          let isStopped = await driver.stopped.get()
          try demand(!isStopped, "the driver was stopped while it was used")
        }
        await driver.finishOne()
      },
      Task { await driver.stop() },
    ])
  }
}

private struct Driver {
  let pending = Variable(1)
  let stopping = Variable(false)
  let event = Variable(false)
  let stopped = Variable(false)

  func finishOne() async {
    let left = await pending.add(-1)
    await hop()
    if left == 0 { await event.set(true) }
  }

  func stop() async {
    await stopping.set(true)
    await finishOne()
    if await event.get() { await stopped.set(true) }
  }
}
