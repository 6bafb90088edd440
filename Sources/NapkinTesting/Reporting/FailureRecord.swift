// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A failure as data: the page draws its rows from it, and as JSON it lies beside the page, for tools and coding agents.
///
/// The article on reading a failure lists the members. While `schema` is 1, members may be added, and none changes its meaning.
package struct FailureRecord: Codable, Sendable, Equatable {
  package var schema = 1

  /// The test, and the command that replays the failure; nil where no test is known.
  package var test: Test?
  package var command: String?
  package var token: String

  /// The two steps whose order decides, in a sentence.
  package var sentence: String?
  /// The findings, the likely cause and what to do, as in the report.
  package var summary: String
  /// The kinds of the diagnostics, and their texts.
  package var kinds: [String]
  package var messages: [String]
  package var draws: [String]
  package var cancellations: [String]

  package var tasks: [Task]
  /// The actors, by whose index an event names the one that it ran on; the first is none, the second the main actor.
  package var places: [String]
  /// The steps that the report leaves out, from the first to the last of each stretch.
  package var folded: [[Int]]
  /// The numbers of the two steps whose order decides.
  package var pair: [Int]?
  package var hasTime: Bool
  /// The tree before the first event.
  package var tree: [Node]
  /// How many events come before those that are here.
  package var omitted: Int
  package var events: [Event]

  package struct Test: Codable, Sendable, Equatable {
    package var filter: String
    package var path: String
    package var line: Int
  }

  package struct Task: Codable, Sendable, Equatable {
    package var id: Int
    package var name: String
  }

  /// A node of the tree, as an event leaves it; of one that is gone, its number alone.
  package struct Node: Codable, Sendable, Equatable {
    package var number: Int
    package var name: String?
    package var parent: Int?
    package var state: String?
    package var tasks: Int?
    package var gone: Bool?
  }

  package struct Event: Codable, Sendable, Equatable {
    package var kind: String
    package var step: Int
    package var time: String
    package var task: Int?
    /// The task that started the one of the event.
    package var by: Int?
    package var place: Int?
    /// The job's place among those that were ready, counted from zero in FIFO order; and their number.
    package var rank: Int?
    package var ready: Int?
    /// Whether the function is of the library.
    package var own: Bool?
    package var function: String?
    /// The name of the file and the line; and the file with its folders.
    package var at: String?
    package var path: String?
    package var text: String?
    package var changes: [Node]?
  }

  /// The record as JSON that may stand in a page's script: no text can end the script or begin a comment.
  package var json: String {
    let encoder = JSONEncoder()
    // In one order, so that the same failure is the same text.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    var text = ""
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
      switch scalar {
      // They stand in texts alone, where JSON may write each character by its number.
      case "<", ">", "&": text += "\\u00" + String(scalar.value, radix: 16)
      case "\u{7F}", "\u{2028}", "\u{2029}": text += "\\u" + String(0x1_0000 + scalar.value, radix: 16).dropFirst()
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
