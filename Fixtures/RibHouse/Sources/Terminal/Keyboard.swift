// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Reads keys on a thread of its own, so that no task waits for them.
final class Keyboard: Sendable {
  /// The key that ends the app at once, which the end of the input and a signal press as well.
  static let end: Character = "\u{4}"
  static let delete: Character = "\u{7F}"

  private struct State {
    var typed: [Character] = []
    var hasEnded = false
  }

  /// Whether input and output are a terminal; else a script is being read.
  let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  private let state = Mutex(State())

  /// The key that was typed first and has not been taken yet; `end` once there is nothing left to read.
  var next: Character? {
    state.withLock { $0.typed.first ?? ($0.hasEnded ? Self.end : nil) }
  }

  func take() {
    state.withLock { state in
      if !state.typed.isEmpty { state.typed.removeFirst() }
    }
  }

  /// Runs a body while keys are being read, one by one and without an echo; a signal to end is a key.
  @MainActor
  func whileOpen<Result>(_ body: @MainActor () async -> Result) async -> Result {
    var before = termios()
    if isInteractive {
      tcgetattr(STDIN_FILENO, &before)
      var raw = before
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }
    let signals = [SIGTERM, SIGINT, SIGHUP].map { number in
      // Else the process would end at once, and leave the terminal as it is.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [self] in state.withLock { $0.typed = [Self.end] } }
      source.resume()
      return source
    }
    Thread.detachNewThread { [self] in read() }
    let result = await body()
    for source in signals { source.cancel() }
    if isInteractive { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    return result
  }

  private func read() {
    var byte: UInt8 = 0
    while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
      switch byte {
      case 3, 4: state.withLock { $0.typed.append(Self.end) }  // control-C and control-D
      case 8, 127: state.withLock { $0.typed.append(Self.delete) }
      case 10, 13: state.withLock { $0.typed.append("\n") }
      case 32...126: state.withLock { $0.typed.append(Character(Unicode.Scalar(byte))) }
      default: break
      }
    }
    state.withLock { $0.hasEnded = true }
  }
}
