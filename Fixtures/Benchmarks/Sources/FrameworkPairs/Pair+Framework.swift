// SPDX-License-Identifier: Apache-2.0
package import Sampling

extension Pair {
  /// All that the framework is measured by; the ones that are quick to run first.
  package static func framework() -> [Pair] {
    attaching() + swaps() + tasks() + shared() + trees() + growth()
  }
}
