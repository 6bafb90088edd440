// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension [UInt8] {
  /// The content of a file, or its first `most` bytes; empty where it cannot be read.
  package init(ofFile path: String, most: Int) {
    self.init(unsafeUninitializedCapacity: most) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { napkin_read_file(path, $0.baseAddress!, $0.count) }
    }
  }

  /// The whole content of a file; empty where it cannot be read.
  package init(ofFile path: String) {
    var most = 65_536
    self.init(ofFile: path, most: most)
    while count == most {
      most *= 4
      self = [UInt8](ofFile: path, most: most)
    }
  }
}
