// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

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
  func showPitBoard(_ viewController: any ViewControllable) { shown = viewController }
  func hidePitBoard() { shown = nil }
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

/// A kitchen that shouts all it has to say at once.
struct SpecialsServiceMock: SpecialsService {
  let shouts: [Special]

  func specials() -> AsyncStream<Special> {
    AsyncStream { continuation in
      for shout in shouts { continuation.yield(shout) }
      continuation.finish()
    }
  }
}

/// Services that say what the test wants them to say.
final class HouseMock: LaunchDependency, PitService, SpecialsService {
  let authService: any AuthService = HouseAuthService(delay: .seconds(2))
  let pit = Broadcast([Cut(name: "Brisket", temperature: 71, target: 95)])
  let kitchen = Broadcast<Special>()

  var pitService: any PitService { self }
  var specialsService: any SpecialsService { self }
  func readings() -> AsyncStream<[Cut]> { pit.stream() }
  func specials() -> AsyncStream<Special> { kitchen.stream() }
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
  func routeBackFromPitBoard() async {}
}

final class LoggedInBuilderMock: MockBuilder<Guest, any LoggedInRouting>, LoggedInBuildable, @unchecked Sendable {
  func build(withListener listener: any LoggedInListener, guest: Guest) async -> any LoggedInRouting {
    await produce(guest)
  }
}
