// SPDX-License-Identifier: Apache-2.0

// A Mac's file system takes this module for the other.
#if os(Linux)
import Napkin
import Testing
import napkin

@Test func `the napkin before this one is in the same graph`() {
  #expect(earlierNapkin)
}
#endif
