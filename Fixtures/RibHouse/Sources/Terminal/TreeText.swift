// SPDX-License-Identifier: Apache-2.0
import Napkin

/// A tree of napkins in lines, with a full dot where the interactor is active.
@MainActor
enum TreeText {
  static func lines(of router: any Routing) async -> [String] {
    var lines = ["\(await router.interactable.isActive ? "●" : "○") \(name(of: router))"]
    for (index, child) in router.children.enumerated() {
      let isLast = index == router.children.count - 1
      for (row, line) in await self.lines(of: child).enumerated() {
        lines.append((row == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")) + line)
      }
    }
    return lines
  }

  private static func name(of router: any Routing) -> String {
    var name = "\(type(of: router))"
    for suffix in ["Router", "Napkin"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
    return name
  }
}
