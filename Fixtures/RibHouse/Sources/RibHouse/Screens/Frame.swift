// SPDX-License-Identifier: Apache-2.0

/// What fits on a terminal of a certain size: the keys always, then the screen, then the tree below it.
package struct Frame: Equatable {
  package let lines: [String]

  /// Lays out a frame of at most this number of columns and rows.
  package init(screen: [String], keys: [String], tree: [String], columns: Int, rows: Int) {
    let help = Self.wrapped(keys, columns: columns)
    let title = ["  THE RIB HOUSE"]
    let room = max(0, rows - help.count)
    // On a small terminal, empty lines go first, then the title.
    var top = title + screen
    if top.count > room { top = title + screen.filter { !$0.isEmpty } }
    if top.count > room { top = screen.filter { !$0.isEmpty } }
    top = Array(top.prefix(room))
    let below = tree.isEmpty ? [] : [""] + tree.map { "  " + $0 }
    let rest = Array(below.prefix(max(0, room - top.count)))
    lines = (top + help + (rest.count > 1 ? rest : [])).map { Self.cut($0, columns: columns) }
  }

  private static func wrapped(_ keys: [String], columns: Int) -> [String] {
    var lines: [String] = []
    for key in keys {
      if let last = lines.last, last.count + 2 + key.count <= columns {
        lines[lines.count - 1] = last + "  " + key
      } else {
        lines.append("  " + key)
      }
    }
    return lines
  }

  private static func cut(_ line: String, columns: Int) -> String {
    line.count <= columns ? line : String(line.prefix(max(0, columns - 1))) + "…"
  }
}
