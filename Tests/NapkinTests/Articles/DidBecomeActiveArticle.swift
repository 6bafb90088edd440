// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

nonisolated protocol Tracker: Sendable {
  func start() async
  func stop() async
  func positions() -> AsyncStream<Int>
}

protocol MapPresentable: Presentable, Sendable {
  func present(position: Int?) async
}

final actor MapInteractor: PresentableInteractable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any MapPresentable
  private let tracker: any Tracker

  init(presenter: any MapPresentable, tracker: any Tracker) {
    self.presenter = presenter
    self.tracker = tracker
  }

  func didBecomeActive() async {
    await presenter.present(position: nil)
    await tracker.start()
    task { [presenter, tracker] in
      for await position in tracker.positions() { await presenter.present(position: position) }
    }
  }

  func willResignActive() async { await tracker.stop() }
}

nonisolated protocol MenuService: Sendable {
  func load() async throws -> [String]
}

protocol MenuPresentable: Presentable, Sendable {
  func present(_ dishes: [String]?) async
}

final actor MenuInteractor: PresentableInteractable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any MenuPresentable
  private let service: any MenuService
  private var refreshes: AsyncStream<Void>.Continuation?

  init(presenter: any MenuPresentable, service: any MenuService) {
    self.presenter = presenter
    self.service = service
  }

  func didBecomeActive() async {
    let (requests, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    refreshes = continuation
    continuation.yield()
    task { [presenter, service] in
      for await _ in requests { await presenter.present(try? await service.load()) }
    }
  }

  func didTapRefresh() async { refreshes?.yield() }
}

private final class TrackerMock: Tracker, Recording {
  let recorder = Recorder<String>()
  func start() async {
    record("start")
    await Task.yield()
  }
  func stop() async { record("stop") }
  func positions() -> AsyncStream<Int> { AsyncStream { $0.yield(7) } }
}

@MainActor private final class MapMock: MapPresentable, RecordingPresentable {
  let recorder = Recorder<Int?>()
  func present(position: Int?) async { record(position) }
}

private final class MenuServiceMock: MenuService, Recording {
  let recorder = Recorder<String>()
  func load() async throws -> [String] {
    record("begin")
    try await Execution.clock.sleep(for: .seconds(1))
    record("end")
    return ["ribs"]
  }
}

@MainActor private final class MenuMock: MenuPresentable, RecordingPresentable {
  let recorder = Recorder<[String]?>()
  func present(_ dishes: [String]?) async { record(dishes) }
}

@MainActor @Suite struct DidBecomeActiveArticle {
  @Test(.interleavings(500, seed: 1)) func `each start has its stop, whatever overlaps`() async {
    let tracker = TrackerMock()
    let interactor = MapInteractor(presenter: MapMock(), tracker: tracker)
    async let first: Void = interactor.activate()
    async let second: Void = interactor.deactivate()
    async let third: Void = interactor.activate()
    _ = await (first, second, third)
    await interactor.deactivate()
    let events = tracker.events
    #expect(events == events.indices.map { $0.isMultiple(of: 2) ? "start" : "stop" } && events.count.isMultiple(of: 2))
  }

  @Test(.interleavings(500, seed: 1)) func `two loads never overlap`() async {
    let service = MenuServiceMock()
    let view = MenuMock()
    let interactor = MenuInteractor(presenter: view, service: service)
    await interactor.activate()
    async let first: Void = interactor.didTapRefresh()
    async let second: Void = interactor.didTapRefresh()
    _ = await (first, second)
    _ = await view.recorder.events(atLeast: 1)
    await Execution.settle()
    let events = service.events
    #expect(events == events.indices.map { $0.isMultiple(of: 2) ? "begin" : "end" })
    await interactor.deactivate()
  }
}
