// SPDX-License-Identifier: Apache-2.0

private actor Ring {
  private var (first, second, third) = (1, 2, 1)
  private var ran = 0

  func moveFirst() {
    first = (third + 1) % 4
    ran += 1
  }

  func moveSecond() {
    second = first
    ran += 1
  }

  func moveThird() {
    third = second
    ran += 1
  }

  func check() throws {
    guard ran == 3 else { return }
    try demand(first == second && second == third, "the ring is \(first), \(second), \(third)")
  }
}

extension YardstickProgram {
  /// `token_ring_bad` of SCTBench: three moves of one step each, which agree in one order only.
  static let tokenRing = Self(name: "TokenRing", depth: 3, published: "8 / 9 / 13") {
    let ring = Ring()
    try await finish([
      Task { await ring.moveFirst() },
      Task { await ring.moveSecond() },
      Task { await ring.moveThird() },
      Task { try await ring.check() },
    ])
  }
}
