// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct InteractorLifecycleTests {
  @Test func `L1 an interactor is active from before one callback until after the other`() async {
    let journal = Journal()
    let it = ProbeInteractor("it", journal) { interactor in
      journal.write("in active: \(await interactor.isActive)")
    } resign: { interactor in
      journal.write("in resign: \(await interactor.isActive)")
    }
    #expect(await !it.isActive)
    await it.activate()
    #expect(await it.isActive)
    await it.deactivate()
    #expect(await !it.isActive)
    #expect(journal.lines.filter { $0.hasPrefix("in") } == ["in active: true", "in resign: true"])
  }

  @Test func `L2 a resignation never starts while the activation is suspended`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { _ in await latch.pass() }
    let activation = Task.immediate { await it.activate() }
    await latch.reached()
    let deactivation = Task.immediate { await it.deactivate() }
    let another = Task.immediate { await it.deactivate() }
    #expect(journal.lines == ["it active"])
    latch.open()
    for task in [activation, deactivation, another] { await task.value }
    #expect(journal.lines == ["it active", "it active ended", "it resign", "it resign ended"])
  }

  @Test func `L3 an activation during a resignation is not lost`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal, resign: { _ in await latch.pass() })
    await it.activate()
    let deactivation = Task.immediate { await it.deactivate() }
    await latch.reached()
    let activation = Task.immediate { await it.activate() }
    latch.open()
    for task in [deactivation, activation] { await task.value }
    #expect(await it.isActive)
    #expect(journal.lines.filter { $0 == "it active ended" }.count == 2)
  }

  @Test(.interleavings(100, seed: 1))
  func `L3 an activation during a resignation returns when it has become active`() async {
    let journal = Journal()
    let resigning = Gate()
    let becoming = Gate(isOpen: true)
    let it = ProbeInteractor("it", journal) { _ in
      await becoming.pass()
    } resign: { _ in
      await resigning.pass()
    }
    await it.activate()
    becoming.close()
    let deactivation = Task.immediate { await it.deactivate() }
    await resigning.reached()
    let activation = Task.immediate {
      await it.activate()
      journal.write("returned")
    }
    resigning.open()
    await becoming.reached()
    #expect(!journal.lines.contains("returned"))
    becoming.open()
    for task in [deactivation, activation] { await task.value }
  }

  @Test func `L3 a second activation returns when the first has become active`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { _ in await latch.pass() }
    let first = Task.immediate { await it.activate() }
    await latch.reached()
    let second = Task.immediate {
      await it.activate()
      journal.write("second returned")
    }
    latch.open()
    for task in [first, second] { await task.value }
    #expect(journal.lines == ["it active", "it active ended", "second returned"])
  }

  @Test func `L3 a second deactivation returns when the first has become inactive`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal, resign: { _ in await latch.pass() })
    await it.activate()
    let first = Task.immediate { await it.deactivate() }
    await latch.reached()
    let second = Task.immediate {
      await it.deactivate()
      journal.write("second returned")
    }
    latch.open()
    for task in [first, second] { await task.value }
    #expect(journal.lines.suffix(2) == ["it resign ended", "second returned"])
  }

  @Test(arguments: [true, false])
  func `L3 the caller's cancellation shortens no wait and reaches no callback`(beforehand: Bool) async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { _ in
      await latch.pass()
      journal.write("in active: \(Task.isCancelled)")
    } resign: { _ in
      await latch.pass()
      journal.write("in resign: \(Task.isCancelled)")
    }
    let start = Latch()
    let caller = Task {
      await start.pass()
      await it.activate()
      await it.deactivate()
      journal.write("returned")
    }
    await start.reached()
    if beforehand { caller.cancel() }
    start.open()
    await latch.reached()
    caller.cancel()
    latch.open()
    await caller.value
    #expect(
      journal.lines == [
        "it active", "in active: false", "it active ended", "it resign", "in resign: false", "it resign ended",
        "returned",
      ])
  }

  @Test func `L4 a deactivation inside didBecomeActive returns at once and takes effect`()
    async
  {
    let journal = Journal()
    let it = ProbeInteractor("it", journal) { interactor in
      await interactor.deactivate()
      journal.write("returned inside: \(await interactor.isActive), \(Task.isCancelled)")
    }
    await it.activate()
    #expect(await !it.isActive)
    #expect(
      journal.lines == [
        "it active", "returned inside: true, true", "it active ended", "it resign", "it resign ended",
      ])
  }

  @Test func `L4 an activation inside willResignActive returns at once and takes effect`()
    async
  {
    let journal = Journal()
    let it = ProbeInteractor("it", journal, resign: { await $0.activate() })
    await it.activate()
    await it.deactivate()
    #expect(await it.isActive)
    #expect(journal.lines.filter { $0 == "it active ended" }.count == 2)
  }

  @Test func `L4 a task that inherited the callback's locals returns at once too`() async {
    let journal = Journal()
    let it = ProbeInteractor("it", journal) { interactor in
      await Task { await interactor.deactivate() }.value
      journal.write("cancelled: \(Task.isCancelled)")
    }
    await it.activate()
    #expect(await !it.isActive)
    #expect(journal.lines.contains("cancelled: true"))
  }

  @Test func `L4 a callback of another interactor in between does not hide the call`() async {
    let inner = Weak<ProbeInteractor>()
    let journal = Journal()
    let outer = ProbeInteractor("outer", journal) { _ in await inner.object?.activate() }
    let other = ProbeInteractor("inner", journal) { _ in await outer.deactivate() }
    inner.object = other
    await outer.activate()
    #expect(await !outer.isActive)
    #expect(await other.isActive)
  }

  @Test func `L4 L5 a call in another callback cancels a callback whose first step goes on`() async {
    let (it, other) = (InteractorLifecycle(), InteractorLifecycle())
    await it.activate {
      await other.activate { await it.deactivate {} }
      #expect(Task.isCancelled)
    }
    #expect(!it.isActive)
  }

  @Test func `L4 a bound task waits like any other once the callback has returned`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { interactor in
      interactor.task {
        await latch.pass()
        await interactor.deactivate()
        journal.write("inactive: \(await !interactor.isActive)")
      }
    }
    await it.activate()
    latch.open()
    await journal.line("inactive: true")
  }

  @Test func `L5 a deactivation cancels a suspended activation and waits for it`() async {
    let journal = Journal()
    let reached = Latch()
    let it = ProbeInteractor("it", journal) { _ in
      reached.open()
      await untilCancelled()
    }
    let activation = Task.immediate { await it.activate() }
    await reached.pass()
    await it.deactivate()
    #expect(journal.lines == ["it active", "it active ended", "it resign", "it resign ended"])
    #expect(await !it.isActive)
    await activation.value
  }

  @Test func `L5 an activation that was cut short resigns even if it is wanted again`() async {
    let journal = Journal()
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { _ in await latch.pass() }
    let first = Task.immediate { await it.activate() }
    await latch.reached()
    let second = Task.immediate { await it.deactivate() }
    let third = Task.immediate { await it.activate() }
    latch.open()
    for task in [first, second, third] { await task.value }
    #expect(journal.lines.filter { !$0.hasSuffix("ended") } == ["it active", "it resign", "it active"])
    #expect(await it.isActive)
  }

  @Test func `L10 requests count in the order of their calls, whatever their priorities`() async {
    let latch = Latch()
    let it = ProbeInteractor { _ in await latch.pass() }
    let blocker = Task { await it.activate() }
    await latch.reached()
    // Both start at once, on this very thread, the urgent one second.
    let low = Task.immediate(priority: .background) { await it.activate() }
    let high = Task.immediate(priority: .high) { await it.deactivate() }
    latch.open()
    for task in [blocker, low, high] { await task.value }
    #expect(await !it.isActive)
  }

  @Test func `closures can be invoked without an interactor, and from inside each other`() async {
    let journal = Journal()
    let lifecycle = InteractorLifecycle()
    await lifecycle.activate {
      journal.write("active")
      await lifecycle.deactivate { journal.write("resign") }
      journal.write("cancelled: \(Task.isCancelled)")
    }
    #expect(!lifecycle.isActive)
    #expect(journal.lines == ["active", "cancelled: true", "resign"])
  }

  @Test @MainActor func `L3 the tree calls an interactor's own methods, which call its lifecycle`() async {
    let journal = Journal()
    let parent = ProbeRouter("parent")
    let child = Router(interactor: ForwardingInteractor(journal: journal))
    await parent.interactor.activate()
    await parent.attachChild(child)
    #expect(await child.interactor.isActive)
    await parent.detachChild(child)
    #expect(await !child.interactor.isActive)
    #expect(journal.lines == ["activate", "active", "deactivate", "resign"])
  }
}

private final actor ForwardingInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private nonisolated let journal: Journal

  init(journal: Journal) { self.journal = journal }

  nonisolated(nonsending) func activate() async {
    journal.write("activate")
    await lifecycle.activate { [journal] in journal.write("active") }
  }

  nonisolated(nonsending) func deactivate() async {
    journal.write("deactivate")
    await lifecycle.deactivate { [journal] in journal.write("resign") }
  }
}
