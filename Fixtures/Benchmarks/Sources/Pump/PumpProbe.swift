// SPDX-License-Identifier: Apache-2.0
internal import PumpRuntime

/// The same look at a task's layout as the engine takes, so that hops are the pump's, too.
@MainActor
enum PumpProbe {
  static func run(on pump: Pump) {
    napkin_begin_probe(false)
    pump.isProbing = true
    pump.run { await MainActor.run {} }
    pump.isProbing = false
    precondition(napkin_takes_hops(), "hops are not the pump's: this is no yardstick")
  }
}
