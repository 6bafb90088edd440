// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct MockInteractorTests {
  @Test func `a mock interactor writes its callbacks down before it runs them`() async {
    let gate = Gate()
    let interactor = MockInteractor(didBecomeActive: { _ in await gate.pass() })
    let activation = Task { await interactor.activate() }
    await gate.reached()
    #expect(interactor.events == [.didBecomeActive])
    #expect(await interactor.isActive)
    gate.open()
    await activation.value
    await interactor.deactivate()
    #expect(interactor.events == [.didBecomeActive, .willResignActive])
  }

  @Test func `a mock interactor hands itself to its callbacks, so that they can bind work`() async {
    let ended = Recorder<Bool>("Ended")
    let interactor = MockInteractor(didBecomeActive: { interactor in
      interactor.task {
        await Gate().pass()
        ended.record(Task.isCancelled)
      }
    })
    await interactor.activate()
    await interactor.deactivate()
    #expect(await ended.next() == true)
  }

  @Test func `a callback can hold the resignation open`() async {
    let gate = Gate()
    let interactor = MockInteractor(willResignActive: { _ in await gate.pass() })
    await interactor.activate()
    let deactivation = Task { await interactor.deactivate() }
    await gate.reached()
    #expect(await interactor.isActive)
    gate.open()
    await deactivation.value
    #expect(await !interactor.isActive)
  }
}
