// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

private final actor StubbornInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  var itself: StubbornInteractor?
  func hold() { itself = self }
  func release() { itself = nil }
}

@MainActor private final class StubbornRouter: Router<MockInteractor> {}

@Suite struct ExpectNoLeaksTests {
  @Test func `a body that leaves nothing behind passes`() async {
    let passes = await expectNoLeaks {
      let router = await MockRouter()
      await router.attachChild(MockRouter())
    }
    #expect(passes)
  }

  @Test func `an interactor that was never activated is reported by name`() async {
    let kept = Monitored<[StubbornInteractor]>([])
    let texts = await issues {
      await expectNoLeaks(within: .milliseconds(5)) { kept.update { $0.append(StubbornInteractor()) } }
    }
    #expect(
      texts == [
        """
        StubbornInteractor is still alive 5 ms after the end; 1 were made.
        Likely cause: a strong `listener` or `router` closes a cycle, or a task that still runs holds it.
        What to do: make the reference weak, end the task in `willResignActive()`, and deactivate what was activated.
        """
      ]
    )
  }

  @Test func `what is still active is reported as such`() async {
    let texts = await issues {
      await expectNoLeaks(within: .milliseconds(5)) {
        let interactor = StubbornInteractor()
        await interactor.hold()
        await interactor.activate()
      }
    }
    #expect(texts.first?.hasPrefix("StubbornInteractor (active) is still alive") == true)
  }

  @Test func `a router and its interactor are reported in the order in which they were made`() async {
    let kept = Monitored<[any Routing]>([])
    let texts = await issues {
      await expectNoLeaks(within: .milliseconds(5)) {
        let router = await StubbornRouter(interactor: MockInteractor())
        kept.update { $0.append(router) }
      }
    }
    #expect(texts.first?.hasPrefix("MockInteractor, StubbornRouter are still alive") == true)
  }

  @Test func `a user's double is reported by the name of its type`() async {
    let kept = Monitored<[HomeListenerMock]>([])
    let texts = await issues {
      await expectNoLeaks(within: .milliseconds(5)) { kept.update { $0.append(HomeListenerMock()) } }
    }
    #expect(texts.first?.hasPrefix("HomeListenerMock is still alive") == true)
  }

  @Test func `a check that has nothing to check is an issue`() async {
    let texts = await issues { await expectNoLeaks {} }
    #expect(
      texts == [
        """
        A leak check had nothing to check: no interactor, router or double was made.
        Likely cause: everything was made before the check began, by another test, or by a detached task.
        What to do: make the objects inside the check, or remove the check.
        """
      ]
    )
  }

  @Test func `what another test makes meanwhile is not counted`() async {
    let gate = Gate()
    let other = Task.detached {
      let interactor = MockInteractor()
      await gate.pass()
      withExtendedLifetime(interactor) {}
    }
    await gate.reached()
    await expectNoLeaks {
      _ = MockInteractor()
    }
    gate.open()
    await other.value
  }

  @Test func `a task that ends soon is waited for`() async {
    let gate = Gate()
    await expectNoLeaks(within: .seconds(5)) {
      let interactor = MockInteractor()
      Task {
        await gate.pass()
        withExtendedLifetime(interactor) {}
      }
      await gate.reached()
      gate.open()
    }
  }
}
