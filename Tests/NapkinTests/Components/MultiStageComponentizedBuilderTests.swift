// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization
import Testing

@Suite struct MultiStageComponentizedBuilderTests {
  final class Scope: Component<any EmptyDependency>, @unchecked Sendable {}

  /// A builder of the component itself, so that a test sees which one the final stage was given.
  final class Staged: MultiStageComponentizedBuilder<Scope, Scope, Int>, @unchecked Sendable {
    var insideFinalStage: (@Sendable (Staged) -> Void)?

    override func finalStageBuild(with component: Scope, _ dynamicDependency: Int) -> Scope {
      insideFinalStage?(self)
      return component
    }
  }

  final class Simple: SimpleMultiStageComponentizedBuilder<Scope, Scope>, @unchecked Sendable {
    override func finalStageBuild(with component: Scope) -> Scope { component }
  }

  final class Forgetful: MultiStageComponentizedBuilder<Scope, Scope, Void>, @unchecked Sendable {}
  final class SimplyForgetful: SimpleMultiStageComponentizedBuilder<Scope, Scope>, @unchecked Sendable {}

  @Test func `every stage of a pass has the same component`() {
    let builder = Staged { Scope() }
    let first = builder.componentForCurrentBuildPass
    #expect(builder.componentForCurrentBuildPass === first)
    #expect(builder.finalStageBuild(withDynamicDependency: 1) === first)
  }

  @Test func `a pass has a component of its own`() {
    let builder = Simple { Scope() }
    let first = builder.finalStageBuild()
    #expect(builder.componentForCurrentBuildPass !== first)
    #expect(builder.finalStageBuild() !== first)
  }

  @Test func `the pass is still open while its final stage builds`() {
    let builder = Staged { Scope() }
    let first = builder.componentForCurrentBuildPass
    builder.insideFinalStage = { #expect($0.componentForCurrentBuildPass === first) }
    _ = builder.finalStageBuild(withDynamicDependency: 1)
  }

  @Test func `a builder releases the component once its pass is closed`() {
    let builder = Simple { Scope() }
    weak let scope = builder.finalStageBuild()
    #expect(scope == nil)
  }

  // The second caller asks while the first one's component is being made.
  @Test func `two callers of one pass get the same component`() async {
    let made = Atomic<Int>(0)
    let (begun, second) = (Moment(), Moment())
    let builder = Simple {
      if made.add(1, ordering: .sequentiallyConsistent).newValue > 1 { second.happens() }
      begun.happens()
      second.awaited(milliseconds: 30)
      return Scope()
    }
    let found = await onTwoThreads(after: begun) { builder.componentForCurrentBuildPass }
    #expect(made.load(ordering: .relaxed) == 1)
    #expect(found[0] === found[1])
  }

  // A final stage that ends late finds the next pass open, which another caller has begun: it is not its to close.
  @Test func `a final stage closes no pass but its own`() async {
    let builder = Staged { Scope() }
    let (inFirst, nextIsOpen) = (Moment(), Moment())
    let isFirst = Mutex(true)
    builder.insideFinalStage = { _ in
      guard
        isFirst.withLock({
          let was = $0
          $0 = false
          return was
        })
      else { return }
      inFirst.happens()
      nextIsOpen.awaited()
    }
    let next = Mutex<Scope?>(nil)
    await onThreads([
      { _ = builder.finalStageBuild(withDynamicDependency: 1) },
      {
        inFirst.awaited()
        _ = builder.finalStageBuild(withDynamicDependency: 2)
        let scope = builder.componentForCurrentBuildPass
        next.withLock { $0 = scope }
        nextIsOpen.happens()
      },
    ])
    #expect(builder.componentForCurrentBuildPass === next.withLock { $0 })
  }

  #if DEBUG
  #if os(macOS) || os(Linux)
  @Test func `a component that is handed out for two passes is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = Scope()
      let builder = Simple { kept }
      _ = builder.finalStageBuild()
      _ = builder.finalStageBuild()
    }
    #expect(result.text.contains("Simple was handed the same Scope twice."))
  }
  #endif
  #endif

  #if os(macOS) || os(Linux)
  @Test func `a component that is made from itself stops with its path`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Box: @unchecked Sendable { var builder: Simple? }
      let box = Box()
      let builder = Simple { box.builder!.componentForCurrentBuildPass }
      box.builder = builder
      _ = builder.componentForCurrentBuildPass
    }
    #expect(result.text.contains("Simple.componentForCurrentBuildPass needs itself"))
  }

  @Test func `a subclass that forgot its final stage is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Forgetful { Scope() }.finalStageBuild(withDynamicDependency: ())
    }
    #expect(result.text.contains("Forgetful does not override finalStageBuild(with:_:), which was called."))
  }

  @Test func `a simple subclass that forgot its final stage is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SimplyForgetful { Scope() }.finalStageBuild()
    }
    #expect(result.text.contains("SimplyForgetful does not override finalStageBuild(with:), which was called."))
  }
  #endif
}
