// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

/// A node of a program's tree: it counts its loads and, on the first, may attach a leaf of its own.
@MainActor
class ProgramRouter: Router<ProbeInteractor> {
  let number: Int
  let leaf: ProgramRouter?
  private(set) var loads = 0
  /// Called where the load begins.
  var loadBegins: @MainActor () -> Void = {}
  private var begunLoads = 0
  private let inside: @MainActor () async -> Void

  /// Every callback ends with `inside`; an odd node's suspend before it, so that calls find them under way.
  required init(_ number: Int, hasLeaf: Bool = false, inside: @escaping @MainActor @Sendable () async -> Void = {}) {
    self.number = number
    self.inside = inside
    leaf = hasLeaf ? ProgramRouter(100 + number) : nil
    let callback: @Sendable (ProbeInteractor) async -> Void = { it in
      #expect(it.lifecycle.inspection.isActive, "L1: \(number) is inactive in a callback")
      if number % 2 == 1 { await Task.yield() }
      await inside()
      #expect(it.lifecycle.inspection.isActive, "L1: \(number) is inactive in a callback")
    }
    super.init(interactor: ProbeInteractor("\(number)", active: callback, resign: callback))
  }

  override func didLoad() async {
    begunLoads += 1
    loadBegins()
    #expect(begunLoads == 1, "T1: \(number) loads again")
    #expect(interactor.lifecycle.inspection.hasBeenActive, "T1: \(number) loads before its first activation")
    if number % 2 == 1 { await Task.yield() }
    if let leaf { await attachChild(leaf) }
    await inside()
    loads += 1
  }

  var isActive: Bool { interactor.lifecycle.inspection.isActive }

  /// The children, without the leaf.
  var numbers: [Int] { children.compactMap { ($0 as? ProgramRouter)?.number }.filter { $0 < 100 } }

  /// This node and all below it, as they stand.
  var subtree: [ProgramRouter] { [self] + children.compactMap { $0 as? ProgramRouter }.flatMap(\.subtree) }
}

/// The same under another name, so that a report distinguishes two routers.
@MainActor
final class OddProgramRouter: ProgramRouter {}
