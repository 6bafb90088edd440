// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A double with a recorder, which provides `record(_:)` and `events`.
public protocol Recording<Event>: AnyObject, Sendable {
  /// The calls that can be recorded, usually an enum with one case for each method.
  associatedtype Event: Sendable

  /// The recorder, which a test can await.
  nonisolated var recorder: Recorder<Event> { get }
}

extension Recording {
  /// Records one event.
  public nonisolated func record(_ event: Event) { recorder.record(event) }

  /// The recorded events, oldest first.
  public nonisolated var events: [Event] { recorder.events }
}

/// A double for the listener of a child, which is the interactor of the parent in the app.
///
///     final class HomeListenerMock: HomeListener, RecordingListener {
///       enum Event: Equatable { case didRequestLogout }
///       let recorder = Recorder<Event>()
///       func homeDidRequestLogout() async { record(.didRequestLogout) }
///     }
public protocol RecordingListener<Event>: Recording {}

/// A double for the presenter of an interactor.
///
///     @MainActor final class HomePresentableMock: HomePresentable, RecordingPresentable {
///       enum Event: Equatable { case presentUser(User) }
///       let recorder = Recorder<Event>()
///       weak var listener: (any HomePresentableListener)?
///       func presentUser(_ user: User) async { record(.presentUser(user)) }
///     }
@MainActor
public protocol RecordingPresentable<Event>: Recording, Presentable {}

/// A base class for doubles of presentables, with a recorder.
///
///     final class HomePresentableMock: MockPresentable<HomeCall>, HomePresentable {
///       func presentUser(_ user: User) async { record(.presentUser(user)) }
///     }
@MainActor
open class MockPresentable<Event: Sendable>: RecordingPresentable {
  /// The calls, in order.
  public nonisolated let recorder: Recorder<Event>

  /// Makes a double that has recorded nothing.
  public init() {
    recorder = Recorder("\(Self.self)")
  }
}
