// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension [UInt8] {
  /// The content of a file, or its first `most` bytes; empty where it cannot be read.
  package init(ofFile path: String, most: Int) {
    self.init(unsafeUninitializedCapacity: most) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { napkin_read_file(path, $0.baseAddress!, $0.count) }
    }
  }
}
