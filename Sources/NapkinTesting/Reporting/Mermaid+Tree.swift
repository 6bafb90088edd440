// SPDX-License-Identifier: Apache-2.0

extension Mermaid {
  /// The tree of napkins as a flowchart: at the time when the first issue was recorded.
  ///
  /// Where no issue is in the log, or the tree was gone by then, it is the last moment with a tree at all.
  ///
  /// - Parameters:
  ///   - log: What happened.
  ///   - limit: How many napkins are drawn; a note counts the rest.
  /// - Returns: The text of the flowchart.
  package static func tree(of log: EventLog, limit: Int = 200) -> String {
    let picture = picture(of: log)
    guard !picture.nodes.isEmpty else { return "flowchart TD" }
    let shown = picture.nodes.prefix(max(0, limit))
    let numbers = Set(shown.map(\.number))
    var lines = ["flowchart TD"]
    lines += shown.map { node in
      "  N\(node.number)[\"\(escape(node.name))<br/>\(words(of: node))\"]\(node.state == .inactive ? ":::inactive" : "")"
    }
    lines += shown.compactMap { node in
      node.parent.flatMap { numbers.contains($0) ? "  N\($0) --> N\(node.number)" : nil }
    }
    let omitted = picture.nodes.count - shown.count
    if omitted > 0 { lines.append("  more[\"\(omitted) more \(omitted == 1 ? "napkin" : "napkins")\"]:::inactive") }
    lines.append("  classDef inactive stroke-dasharray: 4 4")
    return lines.joined(separator: "\n")
  }

  private static func picture(of log: EventLog) -> TreePicture {
    var picture = TreePicture()
    var last = picture
    for event in log.events {
      if case .issue = event.kind, !picture.nodes.isEmpty { return picture }
      guard case .tree(let change) = event.kind else { continue }
      picture.apply(change)
      if !picture.nodes.isEmpty { last = picture }
    }
    return last
  }

  private static func words(of node: TreeNode) -> String {
    let tasks = node.tasks == 0 ? "" : ", \(node.tasks) bound \(node.tasks == 1 ? "task" : "tasks")"
    return node.state.rawValue + tasks
  }
}
