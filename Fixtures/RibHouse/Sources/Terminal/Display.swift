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

  /// The columns and rows that there are; without a terminal, as many as are needed.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard isInteractive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (.max, .max)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws the frame, unless it is the one before.
  mutating func draw(_ lines: [String]) {
    guard lines != shown else { return }
    shown = lines
    if isInteractive {
      // No line break after the last line: on a full screen it would scroll.
      write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    } else {
      write(lines.map { $0 + "\n" }.joined() + "\n")
    }
  }

  /// Prints the key of a script between the frames before and after it.
  func echo(_ key: Character) {
    if !isInteractive, !key.isWhitespace { write("> \(key)\n\n") }
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
