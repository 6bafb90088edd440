// SPDX-License-Identifier: Apache-2.0

extension YardstickProgram {
  /// `account_bad` of SCTBench: the checker expects a balance that there never is.
  static let account = account(expecting: -5, name: "Account", depth: 2, published: "4 / 4 / 18")

  static let soundAccount = account(expecting: -1, name: "Account, sound", depth: nil)

  private static func account(expecting total: Int, name: String, depth: Int?, published: String = "") -> Self {
    Self(name: name, depth: depth, published: published) {
      let balance = Variable(1)
      let deposited = Variable(false)
      let withdrawn = Variable(false)
      try await finish([
        Task {
          guard await deposited.get(), await withdrawn.get() else { return }
          let found = await balance.get()
          try demand(found == total, "the balance is \(found)")
        },
        Task {
          await balance.add(2)
          await deposited.set(true)
        },
        Task {
          await balance.add(-4)
          await withdrawn.set(true)
        },
      ])
    }
  }
}
