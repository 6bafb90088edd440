// SPDX-License-Identifier: Apache-2.0

/// The members of the portfolio that no test chooses by itself, for the benchmarks that compare them.
extension Explorer.Strategy {
  /// Picks mostly the task that ran last, and any with a probability of one in eight: a biased random walk.
  @_spi(Benchmarks) public static let sticky = Self(kind: .sticky)

  /// Samples all orders of entering one actor with equal odds, one actor in each execution.
  ///
  /// Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025.
  @_spi(Benchmarks) public static let surw = Self(kind: .surw)

  /// Samples all interleavings with equal odds, as far as they can be estimated from earlier executions.
  ///
  /// The uniform random walk, URW, of the paper that ``surw`` is from.
  @_spi(Benchmarks) public static let uniform = Self(kind: .uniform)
}
