// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

/// The table in `LifecycleMachine`, cell by cell.
@Suite struct LifecycleMachineTests {
  private func machine(in phase: LifecycleMachine.Phase) -> LifecycleMachine {
    var machine = LifecycleMachine()
    guard phase != .inactive else { return machine }
    _ = machine.activate()
    guard phase != .activating else { return machine }
    _ = machine.callbackReturned()
    guard phase != .active else { return machine }
    _ = machine.deactivate()
    return machine
  }

  typealias Row = (
    phase: LifecycleMachine.Phase, activate: LifecycleMachine.Answer, deactivate: LifecycleMachine.Answer,
    interrupts: Bool
  )

  static let table: [Row] = [
    (.inactive, .drive(.didBecomeActive), .settled, false),
    (.activating, .wait, .waitAfterInterrupt, true),
    (.active, .settled, .drive(.willResignActive), false),
    (.resigning, .wait, .wait, false),
  ]

  @Test(arguments: table)
  func `a request is answered as the table says`(row: Row) {
    var asked = machine(in: row.phase)
    #expect(asked.activate() == row.activate)
    asked = machine(in: row.phase)
    #expect(asked.deactivate() == row.deactivate)
    asked = machine(in: row.phase)
    #expect(asked.fallAsleep(canResign: true) == row.interrupts)
    #expect(asked.isAsleep)
  }

  @Test func `a callback that returns leads on as the table says`() {
    var activated = machine(in: .activating)
    #expect(activated.callbackReturned() == (nil, .everybody))
    #expect(activated.phase == .active)

    var interrupted = machine(in: .activating)
    _ = interrupted.deactivate()
    _ = interrupted.activate()
    #expect(interrupted.callbackReturned() == (.willResignActive, .nobody))
    #expect(interrupted.callbackReturned() == (.didBecomeActive, .whoWantedInactive))

    var resigned = machine(in: .resigning)
    #expect(resigned.callbackReturned() == (nil, .everybody))
    #expect(!resigned.isActive)
    #expect(resigned.makesChildrenSleep)
  }

  @Test func `an activation that nobody could resign from is left running`() {
    var activating = machine(in: .activating)
    #expect(activating.fallAsleep(canResign: false) == false)
    #expect(activating.callbackReturned() == (nil, .everybody))
  }
}
