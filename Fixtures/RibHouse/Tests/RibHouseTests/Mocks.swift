// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

@testable import RibHouse

final class LoggedOutListenerMock: LoggedOutListener, RecordingListener {
  enum Event: Equatable { case didRequestLogin }
  let recorder = Recorder<Event>()
  let login = Stub<Void, Void>()

  func loggedOutDidRequestLogin() async throws {
    record(.didRequestLogin)
    try await login()
  }
}

@MainActor
final class LoggedOutPresentableMock: LoggedOutPresentable, RecordingPresentable {
  let recorder = Recorder<LoginState>("LoggedOutPresentableMock")
  weak var listener: (any LoggedOutPresentableListener)?
  func present(_ state: LoginState) async { record(state) }
}

final class LoggedInListenerMock: LoggedInListener, RecordingListener {
  enum Event: Equatable { case didRequestLogout }
  let recorder = Recorder<Event>()
  func loggedInDidRequestLogout() async { record(.didRequestLogout) }
}

@MainActor
final class LoggedInPresentableMock: LoggedInPresentable, RecordingPresentable {
  enum Event: Equatable {
    case presentGuest(Guest)
    case presentBanner(Special?)
  }
  let recorder = Recorder<Event>()
  weak var listener: (any LoggedInPresentableListener)?
  func presentGuest(_ guest: Guest) async { record(.presentGuest(guest)) }
  func presentBanner(_ special: Special?) async { record(.presentBanner(special)) }
}

final class LoggedInViewControllerMock: MockViewController, LoggedInViewControllable {
  private(set) var shown: (any ViewControllable)?
  private(set) var menu: (any ViewControllable)?
  func showPitBoard(_ viewController: (any ViewControllable)?) { shown = viewController }
  func showMenu(_ viewController: (any ViewControllable)?) { menu = viewController }
}

@MainActor
final class MenuPresentableMock: MenuPresentable, RecordingPresentable {
  enum Event: Equatable {
    case foods([Food])
    case special(Special)
    case selection(String)
  }
  let recorder = Recorder<Event>()
  func presentFoods(_ foods: [Food]) async { record(.foods(foods)) }
  func presentSpecial(_ special: Special) async { record(.special(special)) }
  func presentSelection(_ dish: String) async { record(.selection(dish)) }
}

final class MenuViewControllerMock: MockViewController, MenuViewControllable {
  private(set) var rows: [String] = []
  func show(rows: [String]) { self.rows = rows }
}

final class MenuListenerMock: MenuListener, RecordingListener {
  enum Event: Equatable { case didClose }
  let recorder = Recorder<Event>()
  func menuDidClose(_: any MenuRouting) async { record(.didClose) }
}

final class MenuRouterMock: MockViewableRouter, MenuRouting {
  private(set) var selected: [String] = []
  func select(_ dish: String) async { selected.append(dish) }
}

final class MenuBuilderMock: MockBuilder<String?, any MenuRouting>, MenuBuildable, @unchecked Sendable {
  func build(withListener listener: any MenuListener, dish: String?) async -> any MenuRouting { await produce(dish) }
}

@MainActor
final class PitBoardPresentableMock: PitBoardPresentable, RecordingPresentable {
  let recorder = Recorder<[Cut]>("PitBoardPresentableMock")
  weak var listener: (any PitBoardPresentableListener)?
  func presentCuts(_ cuts: [Cut]) async { record(cuts) }
}

final class PitBoardRouterMock: MockViewableRouter, PitBoardRouting {}

final class PitBoardBuilderMock: MockBuilder<any PitBoardListener, any PitBoardRouting>, PitBoardBuildable,
  @unchecked Sendable
{
  func build(withListener listener: any PitBoardListener) async -> any PitBoardRouting { await produce(listener) }
}

final class AnnouncementsListenerMock: AnnouncementsListener, RecordingListener {
  typealias Event = Special
  let recorder = Recorder<Special>("AnnouncementsListenerMock")
  func announcementsDidHear(_ special: Special) async { record(special) }
}

final class AnnouncementsRouterMock: MockRouter, AnnouncementsRouting {}

final class AnnouncementsBuilderMock: MockBuilder<any AnnouncementsListener, any AnnouncementsRouting>,
  AnnouncementsBuildable, @unchecked Sendable
{
  func build(withListener listener: any AnnouncementsListener) async -> any AnnouncementsRouting {
    await produce(listener)
  }
}

/// A pit in which nothing changes, and which knows whether it is observed.
final class PitServiceMock: PitService, Recording {
  enum Event: Equatable {
    case listening
    case stopped
  }
  let recorder = Recorder<Event>()

  func readings() -> AsyncStream<[Cut]> {
    AsyncStream { [recorder] continuation in
      recorder.record(.listening)
      continuation.onTermination = { _ in recorder.record(.stopped) }
    }
  }
}

/// A kitchen that announces all its specials at once.
struct SpecialsServiceMock: SpecialsService {
  let shouts: [Special]

  func specials() -> AsyncStream<Special> {
    AsyncStream { continuation in
      for shout in shouts { continuation.yield(shout) }
      continuation.finish()
    }
  }
  func open() async {}
  func close() async {}
}

/// Services that send what the test gives them.
final class HouseMock: LaunchDependency, PitService, SpecialsService {
  let authService: any AuthService = HouseAuthService(delay: .seconds(2))
  let pit = Broadcast([Cut(name: "Brisket", temperature: 71, target: 95)])
  let kitchen = Broadcast<Special>()
  let pantry = Pantry()
  private let opened = Mutex(0)

  /// How often the kitchen was opened and not closed.
  var openKitchens: Int { opened.withLock { $0 } }

  var pitService: any PitService { self }
  var specialsService: any SpecialsService { self }
  func readings() -> AsyncStream<[Cut]> { pit.stream() }
  func specials() -> AsyncStream<Special> { kitchen.stream(isReplaying: false) }
  func open() async { opened.withLock { $0 += 1 } }
  func close() async { opened.withLock { $0 -= 1 } }
}

final class LaunchViewControllerMock: MockViewController, LaunchViewControllable, Recording {
  enum Event: Equatable {
    case show(ObjectIdentifier)
    case clear
  }
  nonisolated let recorder = Recorder<Event>()
  func show(_ viewController: (any ViewControllable)?) {
    record(viewController.map { .show(ObjectIdentifier($0)) } ?? .clear)
  }
}

final class LoggedOutRouterMock: MockViewableRouter, LoggedOutRouting {}

final class LoggedOutBuilderMock: MockBuilder<any LoggedOutListener, any LoggedOutRouting>, LoggedOutBuildable,
  @unchecked Sendable
{
  func build(withListener listener: any LoggedOutListener) async -> any LoggedOutRouting { await produce(listener) }
}

final class LoggedInRouterMock: MockViewableRouter, LoggedInRouting {
  func routeToPitBoard() async {}
  func routeBackFromPitBoard(_: any PitBoardRouting) async {}
  private(set) var dishes: [String?] = []
  func routeToMenu(dish: String?) async { dishes.append(dish) }
  func routeBackFromMenu(_: any MenuRouting) async {}
}

final class LoggedInBuilderMock: MockBuilder<Guest, any LoggedInRouting>, LoggedInBuildable, @unchecked Sendable {
  func build(withListener listener: any LoggedInListener, guest: Guest) async -> any LoggedInRouting {
    await produce(guest)
  }
}
