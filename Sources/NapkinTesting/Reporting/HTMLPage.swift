// SPDX-License-Identifier: Apache-2.0

/// A failure as one page that needs nothing but a browser: the lanes, the tree beside them, and the keyboard to walk.
///
/// It is one file without any address in it, and its policy forbids the browser to fetch anything. Whatever a test says
/// stays text: it is escaped where it stands in the markup, and where it stands in the script's data.
package struct HTMLPage: Sendable {
  let report: FailureReport
  let title: String
  let limit: Int

  /// Makes the page of a failure.
  ///
  /// - Parameters:
  ///   - report: The failure, and what happened in it.
  ///   - title: What the page is called, such as the name of the test.
  ///   - limit: How many events have a row, the last ones; a note counts those before them.
  package init(of report: FailureReport, title: String, limit: Int = 2_000) {
    self.report = report
    self.title = title
    self.limit = max(1, limit)
  }

  var log: EventLog { report.log }

  /// The page, to be written to a file.
  package var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>✘ \(Self.escape(title))</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <header>
    <h1>✘ \(Self.escape(title))</h1>
    <pre class="verdict">\(Self.escape(report.beats))</pre>
    <p class="dim">\(Self.escape(([report.provenance] + report.remarks).joined(separator: " ")))</p>
    <p>Replay: <code>.replay("\(Self.escape(report.token))")</code></p>
    \(note)</header>
    <div class="bar" role="toolbar" aria-label="The timeline">
    <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
    <output id="found" class="dim"></output>
    <button id="lanes" type="button">Lanes: tasks</button>
    <button id="ask" type="button">Keys <kbd>?</kbd></button>
    <span class="dim"><span class="mark">◆</span> a plain run would have gone on with the task that was ready first</span>
    </div>
    <main>
    <div class="scroll">
    <table aria-label="What happened, a row for each event">
    <thead><tr id="head"></tr></thead>
    <tbody id="rows"></tbody>
    </table>
    <noscript><p>The lanes are drawn by a script. Without one, the text below tells the same.</p></noscript>
    </div>
    <aside aria-label="The chosen row" aria-live="polite">
    <section><h2>This step</h2><dl id="facts"></dl></section>
    <section><h2>Tree after it</h2><div id="tree"></div></section>
    <section><h2>Drawn until then</h2><ul id="drawn"></ul></section>
    </aside>
    </main>
    <footer>
    <details><summary>As text</summary><pre class="text" tabindex="0">\(Self.escape(report.text))</pre></details>
    <details><summary>As a Mermaid sequence diagram</summary><pre class="text" tabindex="0">\
    \(Self.escape(Mermaid.sequenceDiagram(of: log)))</pre></details>
    <details><summary>The tree as a Mermaid flowchart</summary><pre class="text" tabindex="0">\
    \(Self.escape(Mermaid.tree(of: log)))</pre></details>
    </footer>
    \(Self.help)
    \(Self.dataBegins)\(data)</script>
    <script>
    \(Self.script)
    </script>
    </body>
    </html>

    """
  }

  private var note: String {
    if omitted == 0 { return "" }
    return """
      <p><strong>This page shows the last \(limit) events.</strong> \(omitted) earlier \(omitted == 1 ? "one is" : "ones are") \
      left out; the tree takes them into account.</p>

      """
  }

  private static let help = """
    <dialog id="help" aria-labelledby="keys">
    <h2 id="keys">Keys</h2>
    <dl>
    <dt><kbd>j</kbd> <kbd>↓</kbd></dt><dd>next row</dd>
    <dt><kbd>k</kbd> <kbd>↑</kbd></dt><dd>previous row</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first and last row</dd>
    <dt><kbd>d</kbd> <kbd>D</kbd></dt><dd>next and previous ◆</dd>
    <dt><kbd>i</kbd></dt><dd>next issue</dd>
    <dt><kbd>/</kbd></dt><dd>search; Enter goes to the next row found, Escape back to the rows</dd>
    <dt><kbd>n</kbd> <kbd>N</kbd></dt><dd>next and previous row found</dd>
    <dt><kbd>l</kbd></dt><dd>lanes by task or by actor</dd>
    <dt><kbd>?</kbd></dt><dd>this list; Escape closes it</dd>
    </dl>
    <form method="dialog"><p><button autofocus>Close</button></p></form>
    </dialog>
    """

  /// Writes what HTML would read as its own as entities.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{7F}": escaped += "�"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
