// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Lists what there is, for the driver.
@Suite struct ListTests {
  private struct Row: Encodable {
    let name: String
    let tasks: [String]
    let properties: [String]
    let isStep: Bool
  }

  @Test func lists() throws {
    for construct in Construct.all {
      let isStep = if case .step = construct.around { true } else { false }
      try write(
        "construct",
        Row(
          name: construct.name, tasks: construct.tasks, properties: construct.properties.map { $0.rawValue }.sorted(),
          isStep: isStep))
    }
    for ending in Ending.all {
      try write("ending", Row(name: ending.name, tasks: [], properties: [], isStep: ending.step != nil))
    }
  }

  private func write(_ kind: String, _ row: Row) throws {
    print(kind, String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
  }
}
