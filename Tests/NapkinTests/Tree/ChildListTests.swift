// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

@MainActor
@Suite struct ChildListTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `a list is what an array is, in whichever order children leave`(
    seed: UInt64
  ) {
    var random = SplitMix(state: seed)
    var (list, array) = (ChildList(), [any Routing]())
    for _ in 0..<400 {
      switch random.below(10) {
      case 0..<4:
        let child = StrangeRouter("child")
        list.append(child)
        array.append(child)
      case 4..<9:
        guard !array.isEmpty else { continue }
        // The oldest and the newest most often.
        let index = [0, 0, array.count - 1, random.below(array.count)][random.below(4)]
        let child = array.remove(at: index)
        #expect(list.remove(child) === child)
        #expect(list.remove(child) == nil)
      default: #expect(list.all.map(ObjectIdentifier.init) == array.map(ObjectIdentifier.init))
      }
    }
    #expect(list.all.map(ObjectIdentifier.init) == array.map(ObjectIdentifier.init))
  }

  @Test func `a child that has left is not kept`() {
    var list = ChildList()
    let children = (0..<8).map { Weak(add($0, to: &list)) }
    for index in 0..<8 {
      if let child = children[index].object { _ = list.remove(child) }
      #expect(children.map { $0.object == nil } == (0..<8).map { $0 <= index })
    }
  }

  private func add(_ number: Int, to list: inout ChildList) -> StrangeRouter {
    let child = StrangeRouter("\(number)")
    list.append(child)
    return child
  }
}
