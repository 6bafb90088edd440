// SPDX-License-Identifier: Apache-2.0
import Foundation

// The walks that `Fixtures/Mutants/walk` runs over the tree's machine alone, the smallest first.
let walks = [
  WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 2, outstanding: 2, calls: 2, isPrompt: false, remembersLastCall: true),
  WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, mayRefuse: true, remembersLastCall: true),
  WalkBounds(nodes: 2, outstanding: 4, calls: 4, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 2, outstanding: 4, calls: 4, isPrompt: true, silent: 1, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true, family: .inactiveSiblings, remembersLastCall: true),
  WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, isForeign: true, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: true, family: .activeChain, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: false, silent: 2, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 3, calls: 3, isPrompt: false, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: false, remembersLastCall: true),
]
// These take minutes, and the last one seven gigabytes.
let deepWalks = [
  WalkBounds(nodes: 4, outstanding: 4, calls: 4, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 5, calls: 5, isPrompt: true, remembersLastCall: true),
  WalkBounds(nodes: 3, outstanding: 5, calls: 5, isPrompt: false, remembersLastCall: true),
]
for bounds in CommandLine.arguments.contains("--deep") ? walks + deepWalks : walks {
  let result = MachineWalk(bounds).run()
  print("\(bounds.nodes) nodes, \(bounds.calls ?? 0) calls\(bounds.isPrompt ? "" : ", late effects"): \(result)")
  if result.broken != nil { exit(1) }
}
