// SPDX-License-Identifier: Apache-2.0

/// Says how far a failure can be trusted.
enum Remark {
  static let notReproduced = """
    The failure did not come again when the same choices were replayed: the body depends on something besides its \
    choices. The usual causes: the order of a Set or Dictionary (set SWIFT_DETERMINISTIC_HASHING), the time of day, \
    unseeded randomness, input and output, state that one execution leaves for the next.
    """
  static func timePassedEarly(_ times: Int) -> String {
    """
    Time passed \(times == 1 ? "once" : "\(times) times") while a task was ready, as on a machine that is slow or busy: a sleep \
    or a timeout ended in the middle of work.
    """
  }
  static let isParallel = """
    It ran on the real thread pool, where the order of things is not controlled: it cannot be replayed or made smaller.
    """
  static let isOutOfControl = """
    Lost control: the body left something to other threads, which do it in an order that a replay need not repeat.
    """
}
