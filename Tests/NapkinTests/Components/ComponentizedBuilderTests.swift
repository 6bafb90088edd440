// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

@Suite struct ComponentizedBuilderTests {
  final class Scope: Component<any EmptyDependency>, @unchecked Sendable {
    let seed: Int
    init(seed: Int) {
      self.seed = seed
      super.init(dependency: EmptyComponent())
    }
  }

  final class Sums: ComponentizedBuilder<Scope, Int, Int, Int>, @unchecked Sendable {
    override func build(with component: Scope, _ dynamicBuildDependency: Int) -> Int {
      component.seed + dynamicBuildDependency
    }
  }

  final class Simple: SimpleComponentizedBuilder<Scope, Int>, @unchecked Sendable {
    override func build(with component: Scope) -> Int { component.seed }
  }

  final class Forgetful: ComponentizedBuilder<Scope, Int, Void, Void>, @unchecked Sendable {}
  final class SimplyForgetful: SimpleComponentizedBuilder<Scope, Int>, @unchecked Sendable {}

  @Test func `both values from outside reach the build`() {
    let sum: Int = Sums(componentBuilder: Scope.init(seed:)).build(
      withDynamicBuildDependency: 2,
      dynamicComponentDependency: 40
    )
    #expect(sum == 42)
  }

  @Test func `the component comes back beside the router`() {
    let (scope, sum): (Scope, Int) = Sums(componentBuilder: Scope.init(seed:)).build(
      withDynamicBuildDependency: 2,
      dynamicComponentDependency: 40
    )
    #expect(scope.seed == 40)
    #expect(sum == 42)
  }

  @Test func `a simple one takes nothing from outside`() {
    #expect(Simple { Scope(seed: 7) }.build() == 7)
  }

  #if DEBUG
  #if os(macOS) || os(Linux)
  @Test func `a component that is handed out twice is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = Scope(seed: 1)
      let builder = Simple { kept }
      _ = builder.build()
      _ = builder.build()
    }
    #expect(result.text.contains("Simple was handed the same Scope twice."))
  }

  @Test func `a component that was handed out before the last one is misuse too`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = [Scope(seed: 0), Scope(seed: 1)]
      let builder = Sums { kept[$0] }
      for index in [0, 1, 0] {
        let _: Int = builder.build(withDynamicBuildDependency: 0, dynamicComponentDependency: index)
      }
    }
    #expect(result.text.contains("Sums was handed the same Scope twice."))
  }
  #endif
  #else
  @Test func `a component handed out twice is reported, and does not stop a release build`() {
    let kept = Scope(seed: 7)
    let builder = Simple { kept }
    #expect(builder.build() == 7)
    withKnownIssue {
      #expect(builder.build() == 7)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("twice") }
    }
  }
  #endif

  @Test func `components that are gone are no misuse, however many`() {
    let builder = Simple { Scope(seed: 7) }
    #expect((0..<1_000).allSatisfy { _ in builder.build() == 7 })
  }

  @Test func `components that stay are no misuse, however many`() {
    let builder = Sums(componentBuilder: Scope.init(seed:))
    let built = (0..<1_000).map { seed -> (Scope, Int) in
      builder.build(withDynamicBuildDependency: 0, dynamicComponentDependency: seed)
    }
    #expect(built.map(\.1) == Array(0..<1_000))
  }

  #if os(macOS) || os(Linux)
  @Test func `a subclass that forgot to build is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let _: Int = Forgetful { _ in Scope(seed: 1) }.build(
        withDynamicBuildDependency: (),
        dynamicComponentDependency: ()
      )
    }
    #expect(result.text.contains("Forgetful does not override build(with:_:), which was called."))
  }

  @Test func `a simple subclass that forgot to build is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SimplyForgetful { Scope(seed: 1) }.build()
    }
    #expect(result.text.contains("SimplyForgetful does not override build(with:), which was called."))
  }
  #endif
}
