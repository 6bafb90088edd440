// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// The default methods of interactors that each execution under control has come to know.
enum DefaultsOfExecutions {
  private static let known = PerExecution<KnownDefaults>()

  /// Lets every execution learn by itself, from now on.
  static func install() {
    KnownDefaults.setFinder {
      guard let scope = CurrentExecution.scope, scope.isSimulated else { return nil }
      return known.value(in: scope) { KnownDefaults() }
    }
  }
}
