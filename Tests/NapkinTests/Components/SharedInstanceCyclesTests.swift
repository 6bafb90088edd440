// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Napkin
import Testing

@Suite struct SharedInstanceCyclesTests {
  final class Scope: Component<any EmptyDependency>, @unchecked Sendable {
    var inA: @Sendable () -> Void = {}
    var inB: @Sendable () -> Void = {}

    var a: Int {
      shared {
        inA()
        return b
      }
    }
    var b: Int {
      shared {
        inB()
        return a
      }
    }
    var c: Int { shared { a } }
    var selfish: Int { shared { self.selfish } }
  }

  final class Child: Component<Parent>, @unchecked Sendable {
    var store: Int { shared { dependency.session } }
  }

  final class Parent: Component<any EmptyDependency>, @unchecked Sendable {
    weak var child: Child?
    var session: Int { shared { child?.store ?? 0 } }
  }

  #if os(macOS) || os(Linux)
  @Test func `a property that needs itself stops with its path`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Scope().selfish
    }
    #expect(result.text.contains("Scope.selfish needs itself: Scope.selfish → Scope.selfish. Each of these"))
  }

  @Test func `two properties that need each other stop with their path`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Scope().a
    }
    #expect(
      result.text.contains(
        """
        Scope.a needs itself: Scope.a → Scope.b → Scope.a. Each of these factories waits for the next one, on one \
        thread or on several. Let one of them take what it needs later, or let both depend on a third. (D2)
        """
      )
    )
  }

  @Test func `the path leaves out what only leads to the circle`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Scope().c
    }
    #expect(result.text.contains("Scope.a needs itself: Scope.a → Scope.b → Scope.a."))
  }

  @Test func `a circle through a parent's component names both`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let parent = Parent()
      let child = Child(dependency: parent)
      parent.child = child
      _ = child.store
    }
    #expect(result.text.contains("Child.store → Parent.session → Child.store."))
  }

  @Test func `a circle stops even if an observer takes it, since there is nothing to return`() async {
    final class Taker: LifecycleObserver {
      func lifecycle(_ event: LifecycleEvent) {}
      func misuse(_ misuse: Misuse) -> Bool { misuse.rule == "D2" }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let taker = Taker()
      LifecycleObservation.add(taker)
      _ = Scope().selfish
      withExtendedLifetime(taker) {}
    }
    #expect(result.text.contains("Scope.selfish needs itself"))
  }

  // Each thread holds its own instance open until the other one does, so each asks for the instance that the other is making. A path
  // kept by thread alone never sees this circle: the system stops the process without a word, or it hangs.
  @Test func `a circle across two threads stops with its path`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scope = Scope()
      let (a, b) = (Moment(), Moment())
      scope.inA = {
        a.happens()
        b.awaited()
      }
      scope.inB = {
        b.happens()
        a.awaited()
      }
      DispatchQueue(label: "a").async { _ = scope.a }
      DispatchQueue(label: "b").async { _ = scope.b }
      Moment().awaited()
      exit(EXIT_SUCCESS)
    }
    let text = result.text
    #expect(text.contains("Scope.a → Scope.b → Scope.a.") || text.contains("Scope.b → Scope.a → Scope.b."))
  }
  #endif

  // The one that waits is not part of a circle, though the one it waits for is waiting too.
  @Test func `threads that wait for each other in a line are left alone`() async {
    final class Line: Component<any EmptyDependency>, @unchecked Sendable {
      let (begun, held) = (Moment(), Moment())
      var slow: Int {
        shared {
          begun.happens()
          held.awaited(milliseconds: 30)
          return 1
        }
      }
      var middle: Int { shared { slow + 1 } }
      var last: Int { shared { middle + slow } }
    }
    let line = Line()
    await onThreads([
      { _ = line.slow },
      {
        line.begun.awaited()
        _ = line.middle
      }, { _ = line.last }, { _ = line.middle },
    ])
    #expect(line.last == 3)
  }
}
