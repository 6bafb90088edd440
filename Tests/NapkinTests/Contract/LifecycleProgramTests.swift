// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

extension Router {
  fileprivate func detachAll() async { for child in children { await detachChild(child) } }
}

/// Random calls of `activate()` and `deactivate()` from three callers, against the plainest model: the last one counts.
@Suite struct LifecycleProgramTests {
  private struct Model {
    var wantsActive = false
    var calls = 0

    mutating func call(_ wantsActive: Bool) -> Int {
      self.wantsActive = wantsActive
      calls += 1
      return calls
    }
  }

  /// A call from inside, on its own or from the callback of another interactor in between.
  private struct InsideCall: Sendable, CustomStringConvertible {
    let wantsActive: Bool
    let isThroughAnother: Bool
    var description: String {
      "\(wantsActive ? "activate" : "deactivate")\(isThroughAnother ? " through another" : "")"
    }

    static let generator = Gen.zip(.bool, .bool).map { InsideCall(wantsActive: $0, isThroughAnother: $1) }
  }

  private final class Field: Sendable {
    let model = Mutex(Model())
    let journal = Journal()
    let interactor: ProbeInteractor

    init(calling inside: [InsideCall]) {
      let remaining = Mutex(inside)
      let field = Latest()
      interactor = ProbeInteractor(
        "it", journal,
        active: { it in
          #expect(await it.isActive, "L1: inactive as it becomes active")
          await Task.yield()
          guard let next = remaining.withLock({ $0.popLast() }) else { return }
          if next.isThroughAnother {
            let other = ProbeInteractor(active: { _ in await field.value?.call(next.wantsActive, isInside: true) })
            await other.activate()
            await other.deactivate()
          } else {
            await field.value?.call(next.wantsActive, isInside: true)
          }
          if !next.wantsActive { #expect(Task.isCancelled, "L4, L5: a deactivation from inside does not cancel") }
        },
        resign: { it in
          await Task.yield()
          #expect(await it.isActive, "L1: inactive while it resigns")
        })
      field.set(self)
    }

    func call(_ wantsActive: Bool, isInside: Bool = false) async {
      // Nothing suspends between the two, so both arrive at the same moment (L10).
      let number = model.withLock { $0.call(wantsActive) }
      if wantsActive { await interactor.activate() } else { await interactor.deactivate() }
      // L3, unless a later call has come; L4 promises nothing to a call from inside.
      let isLatest = { self.model.withLock { $0.calls == number } }
      guard !isInside, isLatest() else { return }
      let (line, isActive) = (journal.lines.last, await interactor.isActive)
      guard isLatest() else { return }
      #expect(isActive == wantsActive, "L3: the latest call returned too early")
      // An interactor is active while it resigns, so only the callback that has ended shows the state.
      let ended: String? = wantsActive ? "it active ended" : line == nil ? nil : "it resign ended"
      #expect(line == ended, "L3: the latest call returned before its transition was complete")
    }

    func compare() async {
      #expect(await interactor.isActive == model.withLock { $0.wantsActive }, "L3: the last call decides")
      var expected: [String] = []
      while expected.count < journal.lines.count {
        expected += ["it active", "it active ended", "it resign", "it resign ended"]
      }
      #expect(journal.lines == Array(expected.prefix(journal.lines.count)), "L2: the callbacks alternate")
    }
  }

  /// The field that a callback calls back.
  private final class Latest: Sendable {
    private let state = Mutex<Weak<Field>?>(nil)
    var value: Field? { state.withLock { $0?.object } }
    func set(_ field: Field) { state.withLock { $0 = Weak(field) } }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `L1 L2 L3 L4 L10 the callbacks alternate, and the last call to arrive decides`() async {
    let calls = Gen<[Bool]>.array(of: .bool, count: 0...4)
    await explore(executions: 1_000) {
      let field = Field(calling: Execution.draw(.array(of: InsideCall.generator, count: 0...4), "from inside"))
      let program = Execution.draw(.array(of: calls, count: 3...3), "calls")
      let callers = program.map { calls in
        Task { for call in calls { await field.call(call) } }
      }
      for caller in callers { await caller.value }
      await field.compare()
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `L3 L5 activations that never end by themselves are cancelled and resign`() async {
    await explore(executions: 500) {
      let journal = Journal()
      let it = ProbeInteractor(
        "it", journal, active: { _ in await untilCancelled() }, resign: { _ in await Task.yield() })
      let calls = Execution.draw(.array(of: Gen<Bool>.bool, count: 1...6), "calls")
      let arrived = Recorder<Bool>()
      let callers = calls.map { isActivation in
        Task {
          // A call has arrived when it suspends (L10); to record that may let others go on, so it comes after that.
          let call = Task.immediate { if isActivation { await it.activate() } else { await it.deactivate() } }
          arrived.record(isActivation)
          await call.value
        }
      }
      _ = await arrived.events(atLeast: calls.count)
      await it.deactivate()
      #expect(await !it.isActive, "L5: the deactivation returned too early")
      for caller in callers { await caller.value }
      let life = ["it active", "it active ended", "it resign", "it resign ended"]
      #expect(journal.lines == (0..<journal.lines.count / 4).flatMap { _ in life }, "L5: cut short, it resigns")
    }
  }

  /// The task that calls: its own, or one that the callback waits for.
  enum WayInside: CaseIterable {
    case itself, childTask, boundTask, otherInteractor

    fileprivate func deactivate(_ it: ProbeInteractor) async {
      switch self {
      case .itself: await it.deactivate()
      case .childTask:
        async let call: Void = it.deactivate()
        await call
      case .boundTask: await it.lifecycle.register { await it.deactivate() }.value
      case .otherInteractor: await InteractorLifecycle().activate { await it.deactivate() }
      }
    }
  }

  @Test(arguments: WayInside.allCases)
  func `L4 L5 a call from inside cancels what one from outside is about to cancel`(_ way: WayInside) async {
    await explore(executions: 1_000) {
      let it = ProbeInteractor(active: { it in
        await way.deactivate(it)
        #expect(Task.isCancelled, "L4, L5: a deactivation from inside has returned, and has not cancelled")
      })
      let outside = Task { await it.deactivate() }
      await it.activate()
      await outside.value
    }
  }

  @Test func `T8 L5 a detach from inside cancels what a call from outside is about to cancel`() async {
    await explore(executions: 1_000) { @MainActor in
      let parent = Router(interactor: PlainInteractor())
      let child = ProbeRouter(
        "child",
        active: { [weak parent] it in
          await parent?.detachAll()
          #expect(Task.isCancelled, "T8, L5: a detach from inside has returned, and has not cancelled")
        })
      let outside = Task { @concurrent in await child.interactor.deactivate() }
      await parent.attachChild(child)
      await outside.value
    }
  }
}
