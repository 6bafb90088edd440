// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Sampling
internal import Synchronization

/// The bare pump, in a process of its own that works on request and is idle otherwise.
final class BarePump: Sendable {
  private let path: String
  private let started = Mutex<(FileHandle, FileHandle)?>(nil)

  /// - Parameter path: Where the program is, which starts with the first batch.
  init(path: String) { self.path = path }

  private var pipes: (input: FileHandle, output: FileHandle) {
    started.withLock { started in
      if let started { return started }
      let pipes = start()
      started = pipes
      return pipes
    }
  }

  private func start() -> (FileHandle, FileHandle) {
    let (input, output) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.standardInput = input
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      fatalError("The bare pump does not start at \(path): \(error)")
    }
    return (input.fileHandleForWriting, output.fileHandleForReading)
  }

  /// Runs a batch of the body with this number.
  func batch(ofBody number: Int) -> Reading {
    let (input, output) = pipes
    input.write(Data("\(number)\n".utf8))
    let words = String(decoding: output.availableData, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let nanoseconds = Double(words[0]), let steps = Int(words[1]), let count = Int(words[2])
    else { fatalError("The bare pump answers: \(words)") }
    return Reading(nanoseconds: nanoseconds, count: count, steps: steps)
  }
}
