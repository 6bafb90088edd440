// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

/// Random stages of a multi-stage builder: by tasks against the plainest model, and by threads that race.
@Suite struct BuildPassProgramTests {
  private enum Stage: Sendable, CaseIterable { case asks, builds, buildsAndAsksMeanwhile, buildsAndBuildsMeanwhile }

  private final class Scope: Component<any EmptyDependency>, @unchecked Sendable {}

  private final class Staged: MultiStageComponentizedBuilder<Scope, Scope, Stage>, @unchecked Sendable {
    private let meanwhile: @Sendable (Staged, Scope, Stage) -> Void

    init(making: @escaping @Sendable () -> Scope, meanwhile: @escaping @Sendable (Staged, Scope, Stage) -> Void) {
      self.meanwhile = meanwhile
      super.init(componentBuilder: making)
    }

    override func finalStageBuild(with component: Scope, _ stage: Stage) -> Scope {
      meanwhile(self, component, stage)
      return component
    }
  }

  /// The components that were made, numbered, and the number of the open pass's.
  private final class Model: Sendable {
    let made = Mutex<[Scope]>([])
    let open = Mutex<Int?>(nil)

    func make() -> Scope {
      let scope = Scope()
      made.withLock { $0.append(scope) }
      return scope
    }

    /// The component that a stage is to be given, by number: the open pass's, or the next one.
    func current() -> Int {
      let next = made.withLock { $0.count }
      return open.withLock { open in
        open = open ?? next
        return open ?? next
      }
    }

    func close(_ pass: Int) { open.withLock { if $0 == pass { $0 = nil } } }

    func expect(_ scope: Scope, is number: Int) {
      let isIt = made.withLock { $0.indices.contains(number) && $0[number] === scope }
      #expect(isIt, "D3: a stage was given another pass's component")
    }

    func carryOut(_ stage: Stage, on builder: Staged) {
      let pass = current()
      switch stage {
      case .asks: expect(builder.componentForCurrentBuildPass, is: pass)
      default:
        expect(builder.finalStageBuild(withDynamicDependency: stage), is: pass)
        close(pass)
      }
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `D3 every stage of a pass gets its component, and the final stage ends the pass`() async {
    let stages = Gen<[Stage]>.array(of: .allCases, count: 1...5)
    await explore(executions: 300) {
      let model = Model()
      let builder = Staged(making: { model.make() }) { builder, _, stage in
        switch stage {
        case .buildsAndAsksMeanwhile: model.carryOut(.asks, on: builder)
        case .buildsAndBuildsMeanwhile:
          model.carryOut(.builds, on: builder)
          // The pass is closed, so this is the next one's, which the outer final stage has to leave open.
          model.carryOut(.asks, on: builder)
        case .asks, .builds: break
        }
      }
      let callers = Execution.draw(.array(of: stages, count: 3), "stages").map { stages in
        Task {
          for stage in stages {
            model.carryOut(stage, on: builder)
            await Task.yield()
          }
        }
      }
      for caller in callers { await caller.value }
      // The component of the next stage shows whether a pass is open.
      model.carryOut(.asks, on: builder)
    }
  }

  // A caller that is given a new component knows that the final stage of the one before it has been built from.
  @Test func `D3 threads that race share a component until a final stage has used it`() async {
    await explore(executions: 150, strategy: .parallel) {
      let stages = Execution.draw(
        .array(of: .array(of: Gen<Stage>.element(of: [.asks, .asks, .builds]), count: 6), count: 4))
      let made = Mutex(0)
      let ended = Mutex<[ObjectIdentifier]>([])
      let kept = Mutex<[Scope]>([])
      let tooEarly = Mutex(0)
      let builder = Staged(
        making: {
          made.withLock { $0 += 1 }
          let scope = Scope()
          // Identities must not come back.
          kept.withLock { $0.append(scope) }
          return scope
        }, meanwhile: { _, component, _ in ended.withLock { $0.append(ObjectIdentifier(component)) } })
      await onThreads(
        stages.map { stages in
          {
            var last: ObjectIdentifier?
            for stage in stages {
              let id = ObjectIdentifier(
                stage == .asks
                  ? builder.componentForCurrentBuildPass : builder.finalStageBuild(withDynamicDependency: stage))
              if let last, last != id, !ended.withLock({ $0.contains(last) }) { tooEarly.withLock { $0 += 1 } }
              last = id
            }
          }
        })
      #expect(tooEarly.withLock { $0 } == 0, "D3: a caller got another component before the pass had ended")
      let builds = stages.joined().count { $0 != .asks }
      #expect(made.withLock { $0 } <= builds + 1, "D3: one pass had two components")
    }
  }
}
