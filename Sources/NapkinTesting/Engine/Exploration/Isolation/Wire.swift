// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The form of a message between a worker process and the process that started it: a line of JSON.
///
/// Both processes run one program, so a message says nothing of its own form.
package enum Wire {
  /// The message as a line, with its end, which JSON has nowhere in itself.
  package static func line(_ message: some Encodable) -> String {
    // No message has a value that JSON has not; an empty line is none.
    ((try? JSONEncoder().encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "") + "\n"
  }

  /// Reads a line; nil where it is another message, or none.
  package static func message<Message: Decodable>(_ line: some Sequence<UInt8>) -> Message? {
    try? JSONDecoder().decode(Message.self, from: Data(line))
  }
}
