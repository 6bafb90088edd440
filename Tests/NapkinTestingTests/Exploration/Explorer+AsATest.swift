// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

extension Explorer {
  /// Explores a body as the one of a test, with a key and a database of its own.
  func runAsATest(
    _ key: String, keptIn database: FailureDatabase? = nil, _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    await SearchContext(self).runAsATest(key, keptIn: database, body)
  }
}
