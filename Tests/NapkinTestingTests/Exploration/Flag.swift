// SPDX-License-Identifier: Apache-2.0

/// A flag that the tests of polling wait for.
actor Flag {
  private(set) var isUp = false
  func raise() { isUp = true }
}
