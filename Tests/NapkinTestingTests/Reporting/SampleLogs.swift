// SPDX-License-Identifier: Apache-2.0

import NapkinTesting

extension EventLog {
  /// A log in shorthand: each call of `append` is one event.
  static func make(_ body: (inout EventLog) -> Void) -> EventLog {
    var log = EventLog()
    body(&log)
    return log
  }

  mutating func ran(_ step: Int, _ task: Int, _ place: Event.Place = .global, rank: Int = 0, at time: Duration = .zero)
  {
    append(.ran(place, rank: rank, ready: 3), step: step, time: time, task: task)
  }

  mutating func then(_ kind: Event.Kind, _ step: Int, _ task: Int?, at time: Duration = .zero) {
    append(kind, step: step, time: time, task: task)
  }

  /// Two tasks that read before either writes, one deviation, and the expectation that fails.
  static let lostUpdate = make { log in
    log.name(task: 0, "body")
    log.name(place: .actor(1), "Counter")
    log.then(.started(by: nil), 0, 0)
    log.ran(1, 0)
    log.then(.started(by: 0), 1, 1)
    log.then(.started(by: 0), 1, 2)
    log.ran(2, 1)
    log.ran(3, 1, .actor(1))
    log.ran(4, 2, rank: 1)
    log.ran(5, 2, .actor(1))
    log.ran(6, 2, .actor(1))
    log.ran(7, 2)
    log.ran(8, 1, .actor(1))
    log.ran(9, 0)
    log.ran(10, 0, .actor(1))
    log.ran(11, 0)
    log.then(.issue("Expectation failed: (value → 1) == 2"), 11, 0)
  }
}
