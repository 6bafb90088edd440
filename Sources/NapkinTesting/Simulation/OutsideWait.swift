// SPDX-License-Identifier: Apache-2.0

/// Decides how long an execution with nothing to run waits, in real time, for what other threads may bring.
///
/// It is always bounded, and cheap where nothing comes: a body that leaves nothing to others waits once in an exploration, when
/// it first looks like a deadlock.
struct OutsideWait {
  /// The reason of a wait.
  enum Subject {
    /// The number of errands that are under way outside.
    case errands(Int)
    /// Nothing else can go on.
    case anything
    /// Something came in an earlier execution that nothing had announced.
    case whatCameBefore
  }

  private static let forErrands = Duration.seconds(1)
  private static let forAnything = Duration.milliseconds(400)
  private static let forWhatCameBefore = Duration.milliseconds(200)
  private static let whereOthersWereInVain = Duration.milliseconds(20)
  private static let mostInVain = 3

  // Of the exploration.
  private var inVain = 0
  private var comesUnannounced = false
  private var isDeadlockConfirmed = false

  // Of the execution.
  private var errandsInVain = 0
  private var isWaitOver = false
  private var end: Duration?

  private(set) var heard: UInt64 = 0
  private(set) var limit = Duration.zero

  mutating func begin() {
    errandsInVain = 0
    isWaitOver = false
    end = nil
  }

  /// Something was brought to this execution.
  mutating func hasBrought() {
    isWaitOver = false
    end = nil
  }

  /// The execution's time passes, after nothing came.
  mutating func timePasses() { isWaitOver = false }

  /// An execution is over that something was brought to.
  mutating func brought(isUnannounced: Bool) { comesUnannounced = comesUnannounced || isUnannounced }

  /// Whether to wait, after this number of rings, for as long as `limit` says; false once that was in vain.
  mutating func waits(for subject: Subject, _ rings: UInt64) -> Bool {
    let most: Duration
    switch subject {
    case .errands(let count): most = count <= errandsInVain ? .zero : full(Self.forErrands)
    case .anything:
      most = isWaitOver || isDeadlockConfirmed && !comesUnannounced ? .zero : full(Self.forAnything)
    case .whatCameBefore: most = isWaitOver || !comesUnannounced ? .zero : full(Self.forWhatCameBefore)
    }
    guard most > .zero else { return false }
    let now = Stopwatch.now
    let end = self.end ?? now + most
    guard end > now else {
      isInVain(subject)
      return false
    }
    self.end = end
    (heard, limit) = (rings, end - now)
    return true
  }

  private func full(_ duration: Duration) -> Duration {
    inVain < Self.mostInVain ? duration : Self.whereOthersWereInVain
  }

  private mutating func isInVain(_ subject: Subject) {
    end = nil
    inVain += 1
    switch subject {
    case .errands(let count): errandsInVain = count
    case .anything: (isWaitOver, isDeadlockConfirmed) = (true, true)
    case .whatCameBefore: isWaitOver = true
    }
  }
}

extension Diagnostic {
  /// Something came back to an execution from threads that the exploration does not control.
  static func lostControl(to places: [String]) -> Diagnostic {
    let source = places.isEmpty ? "something outside Swift Concurrency" : places.joined(separator: ", ")
    return Diagnostic(
      warning: "lost control", kind: .lostControl,
      """
      Lost control: \(source) resumed tasks of the body. They were taken back in the order in which they came, which is not \
      varied, and which a replay need not repeat.
      """,
      likelyCause:
        "a dispatch queue, a thread, a real timer, the network, a callback of the system or an executor of its own.",
      suggestion: """
        hide it behind a protocol and give the explored body a double, such as a Stub or a Gate, where its order matters.
        """
    )
  }
}
