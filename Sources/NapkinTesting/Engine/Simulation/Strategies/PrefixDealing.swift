// SPDX-License-Identifier: Apache-2.0

/// Deals an exhaustive search out to several machines, by the picks that its schedules begin with.
///
/// Each machine runs the executions that find the beginnings, so all come to the same ones in the same order, and each goes
/// on with its own. Together they have run every schedule if each has come to the end of its part, and all have dealt
/// out the same beginnings.
struct PrefixDealing {
  /// The machines that go on from a pick.
  enum Share: Equatable {
    /// All of them, since the picks up to here could have been made in this number of ways.
    case everyone(ways: Int)
    case own
    case others
  }

  private let index: Int
  private let count: Int
  private var dealt = 0
  private var hash: UInt64 = 0

  /// This number of beginnings for each machine even out that they have more or fewer schedules.
  private static let beginningsOfEach = 8

  init(index: Int, of count: Int) { (self.index, self.count) = (index, count) }

  /// The machines that make the first choice of an execution.
  var first: Share { count == 1 ? .own : .everyone(ways: 1) }

  /// A hash of the beginnings that were dealt out; nil if there were none, and this machine has run everything itself.
  var digest: UInt64? { dealt == 0 ? nil : hash }

  /// Returns which machines go on from one of several picks, at a choice of this depth, behind a pick with this share.
  mutating func share(of rank: Int, among picks: Int, depth: Int, behind share: Share) -> Share {
    guard case .everyone(let ways) = share else { return share }
    guard ways * picks >= count * Self.beginningsOfEach else { return .everyone(ways: ways * picks) }
    hash = "\(hash) \(rank) \(picks) \(depth)".utf8.stableNumber
    dealt += 1
    return (dealt - 1) % count == index ? .own : .others
  }
}
