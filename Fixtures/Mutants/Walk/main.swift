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
]
// `NAPKIN_WALK` adds the largest one, and says how many states that may come to.
let limit = ProcessInfo.processInfo.environment["NAPKIN_WALK"].flatMap { Int($0) }
let largest = WalkBounds(nodes: 3, outstanding: 4, calls: 4, isPrompt: false, remembersLastCall: true)
for bounds in walks + (limit == nil ? [] : [largest]) {
  let result = MachineWalk(bounds, limit: limit ?? .max).run()
  print("\(bounds.nodes) nodes, \(bounds.calls ?? 0) calls\(bounds.isPrompt ? "" : ", late effects"): \(result)")
  if result.broken != nil { exit(1) }
}
