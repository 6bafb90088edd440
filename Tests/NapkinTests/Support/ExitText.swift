// SPDX-License-Identifier: Apache-2.0
import Testing

#if os(macOS) || os(Linux)
extension ExitTest.Result? {
  /// The standard error of a process that has stopped.
  var text: String {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
  }
}
#endif
