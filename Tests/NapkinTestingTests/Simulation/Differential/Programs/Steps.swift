// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The steps of the tasks of one execution, in order; no visit to it is a scheduling point.
final class Steps: Sendable {
  private let taken = Mutex("")

  func take(_ step: String) { taken.withLock { $0 += step } }

  var text: String { taken.withLock { $0 } }
}
