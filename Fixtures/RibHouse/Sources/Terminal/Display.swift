// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Puts frames on a terminal, or one below the other where there is none.
@MainActor
struct Display {
  let isInteractive: Bool
  private var shown: [String] = []

  init(isInteractive: Bool) {
    self.isInteractive = isInteractive
  }

  func open() {
    if isInteractive { write("\u{1B}[?1049h\u{1B}[?25l") }
  }

  func close() {
    if isInteractive { write("\u{1B}[?25h\u{1B}[?1049l") }
  }

  /// Draws what differs from the frame before.
  mutating func draw(_ lines: [String]) {
    guard lines != shown else { return }
    shown = lines
    if isInteractive {
      write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K\r\n" }.joined() + "\u{1B}[J")
    } else {
      write(lines.map { $0 + "\n" }.joined() + "\n")
    }
  }

  /// Tells a script's reader which key the frames before and after belong to.
  func echo(_ key: Character) {
    if !isInteractive { write("> \(key)\n\n") }
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
