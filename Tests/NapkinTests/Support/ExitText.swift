// SPDX-License-Identifier: Apache-2.0
import Testing

#if os(macOS) || os(Linux)
extension ExitTest.Result? {
  /// What a process that stopped left on its standard error.
  var text: String {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
  }
}
#endif
