// SPDX-License-Identifier: Apache-2.0
import Napkin
import Observation
import Synchronization
import Testing

@Suite @MainActor struct PresenterTests {
  final class Screen: Sendable {}

  @Observable
  final class NamePresenter: Presenter<Screen> {
    var name = ""
  }

  @Test func `a presenter keeps its view controller`() {
    let screen = Screen()
    #expect(Presenter(viewController: screen).viewController === screen)
  }

  @Test func `a presenter is observable`() {
    let presenter: any Observable = Presenter(viewController: Screen())
    #expect(presenter is any Presentable)
  }

  @Test func `a view follows what an observable subclass stores`() {
    let presenter = NamePresenter(viewController: Screen())
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = presenter.name
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    presenter.name = "Ada"
    #expect(changes.load(ordering: .relaxed) == 1)
  }
}
