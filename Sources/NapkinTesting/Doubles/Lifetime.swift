// SPDX-License-Identifier: Apache-2.0

/// Somebody who is told what comes into being and what goes, such as a leak check.
package protocol LifetimeLedger: AnyObject, Sendable {
  /// Something with this name was made; the number that is returned stands for it.
  func began(_ name: String) -> Int

  /// What this number stood for is gone.
  func ended(_ number: Int)
}

/// A part of a double that lives exactly as long as the double does, and says so to the ledger of the test.
package final class Lifetime: Sendable {
  /// The ledger of the test that runs here.
  @TaskLocal package static var ledger: (any LifetimeLedger)?

  private let entry: (ledger: any LifetimeLedger, number: Int)?

  /// Enters something into the ledger, if there is one.
  package init(of name: @autoclosure () -> String) {
    entry = Lifetime.ledger.map { ($0, $0.began(name())) }
  }

  deinit {
    entry.map { $0.ledger.ended($0.number) }
  }
}
