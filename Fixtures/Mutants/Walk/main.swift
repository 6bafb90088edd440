// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Every shape of an active tree of this many nodes, with every combination of kinds of interactor.
func trees(_ nodes: Int, calls: Int) -> [WalkBounds] {
  let kinds = (0..<nodes).reduce([[]] as [[InteractorKind]]) { kinds, _ in
    kinds.flatMap { begun in InteractorKind.allCases.map { begun + [$0] } }
  }
  return WalkBounds.shapes(of: nodes).flatMap { parents in
    kinds.map { kinds in
      WalkBounds(
        nodes: nodes, outstanding: calls, calls: calls, isPrompt: true, kinds: kinds, family: .activeTree,
        parents: parents)
    }
  }
}

// The walks that `Fixtures/Mutants/walk` runs over the tree's machine alone, the smallest first.
let walks =
  [
    WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true),
    WalkBounds(nodes: 2, outstanding: 2, calls: 2, isPrompt: false),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, mayRefuse: true),
    WalkBounds(nodes: 2, outstanding: 4, calls: 4, isPrompt: true),
    WalkBounds(nodes: 2, outstanding: 4, calls: 4, isPrompt: true, kinds: [.defaults]),
    WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true, family: .inactiveSiblings),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, isForeign: true),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, hasTies: true),
    WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true, hasTies: true, family: .activeChain),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: false, isOnMain: true, hasChanges: true),
  ] + trees(3, calls: 2) + [
    WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: true, family: .activeChain),
    WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: true),
    WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: false, kinds: [.defaults, .defaults]),
    WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: false),
    WalkBounds(nodes: 4, outstanding: 3, calls: 3, isPrompt: true, family: .inactiveSiblings),
    WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: true),
    WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: false),
  ]
// These take minutes, and the last one seven gigabytes.
let deepWalks =
  [
    WalkBounds(nodes: 4, outstanding: 3, calls: 3, isPrompt: true, family: .activeChain),
    WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: true, family: .activeChain),
    WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: true, mayRefuse: true, family: .activeChain),
  ] + trees(4, calls: 2) + [
    WalkBounds(nodes: 4, outstanding: 4, calls: 4, isPrompt: true),
    WalkBounds(nodes: 3, outstanding: 5, calls: 5, isPrompt: true),
    WalkBounds(nodes: 3, outstanding: 5, calls: 5, isPrompt: false),
  ]

/// The number that follows an option of the command line.
func option(_ name: String) -> UInt64? {
  let arguments = CommandLine.arguments
  return arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? UInt64(arguments[$0 + 1]) : nil }
}

if let events = option("--random") {
  let seed = option("--seed") ?? 1
  let clock = ContinuousClock()
  var result: RandomWalk.Result?
  let time = clock.measure {
    var walk = RandomWalk(seed: seed)
    result = walk.run(events: Int(events))
  }
  guard let result else { exit(1) }
  let rate = Double(result.events) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
  print("seed \(seed), \(Int(rate)) events a second: \(result)")
  exit(result.broken == nil ? 0 : 1)
}
for bounds in CommandLine.arguments.contains("--deep") ? walks + deepWalks : walks {
  let result = MachineWalk(bounds).run()
  print("\(bounds): \(result)")
  if result.broken != nil { exit(1) }
}
