// SPDX-License-Identifier: Apache-2.0
public import Sampling

extension Pair {
  /// All that the framework is measured by; the ones that are quick to run first.
  public static func framework() -> [Pair] {
    attaching() + tasks() + shared() + trees()
  }
}
