// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// How a tree of some hundred routers is shaped, and how it comes to stand.
struct GrowthPlan: Sendable, CustomStringConvertible {
  enum Way: Sendable, CaseIterable { case fromAbove, fromBelow, byTwoCallers, nested }

  let way: Way
  /// The parent of node n + 1; node 0 is the top.
  let parents: [Int]
  private let reaches: [Int]

  var description: String { "\(parents.count + 1) nodes \(way), \(reaches) back" }

  /// A node's parent stands a few numbers before it: one before is a chain, many are a bush.
  static let generator: Gen<GrowthPlan> = Gen<GrowthPlan>.oneOf(
    .plans(reaches: .just([0]), count: 60...200),
    .plans(reaches: .array(of: .int(in: 0...12), count: 1...8), count: 60...200),
    .plans(reaches: .array(of: .int(in: 0...2), count: 1...8), count: 100...300))

  fileprivate init(way: Way, count: Int, reaches: [Int]) {
    self.way = way
    self.reaches = reaches
    // Two callers can keep a subtree that leaves from coming to rest, which is reported after a hundred rounds (T4).
    let count = way == .byTwoCallers ? min(count, 90) : count
    parents = (0..<count).map { max(0, $0 - reaches[$0 % reaches.count]) }
  }
}

extension Gen where Value == GrowthPlan {
  fileprivate static func plans(reaches: Gen<[Int]>, count: ClosedRange<Int>) -> Gen {
    Gen<(GrowthPlan.Way, Int, [Int])>.zip(.element(of: GrowthPlan.Way.allCases), .int(in: count), reaches)
      .map { GrowthPlan(way: $0, count: $1, reaches: $2) }
  }
}

/// A node that counts its transitions and may attach its children as it loads.
@MainActor
final class GrownRouter: Router<ProbeInteractor> {
  let number: Int
  /// The routers that `didLoad()` attaches, and that are held until then.
  var toAttach: [GrownRouter] = []
  private(set) var loads = 0

  init(_ number: Int, activated: Recorder<Int>, resigned: Recorder<Int>) {
    self.number = number
    super.init(
      interactor: ProbeInteractor(
        active: { _ in
          activated.record(number)
          if number % 16 == 3 { await Task.yield() }
        },
        resign: { _ in
          if number % 16 == 5 { await Task.yield() }
          resigned.record(number)
        }))
  }

  override func didLoad() async {
    loads += 1
    let children = toAttach
    toAttach = []
    for child in children { await attachChild(child) }
  }

  var isActive: Bool { interactor.lifecycle.inspection.isActive }

  /// This node and all below it, parents first, as they stand; without recursion, for chains.
  var subtree: [GrownRouter] {
    var (found, pending): ([GrownRouter], [GrownRouter]) = ([], [self])
    while let next = pending.popLast() {
      found.append(next)
      pending += next.children.reversed().compactMap { $0 as? GrownRouter }
    }
    return found
  }
}
