// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A double that writes down what it was told: give it a recorder, and `record(_:)` and `events` come for free.
public protocol Recording<Event>: AnyObject, Sendable {
  /// What can be told, best as an enum with one case a method.
  associatedtype Event: Sendable

  /// Holds what was told, and is what a test awaits.
  nonisolated var recorder: Recorder<Event> { get }
}

extension Recording {
  /// Writes down one event.
  public nonisolated func record(_ event: Event) { recorder.record(event) }

  /// Everything told so far, oldest first.
  public nonisolated var events: [Event] { recorder.events }
}

/// A double for a child's listener, which the parent's interactor is in the app.
///
///     final class HomeListenerMock: HomeListener, RecordingListener {
///       enum Event: Equatable { case didRequestLogout }
///       let recorder = Recorder<Event>()
///       func homeDidRequestLogout() async { record(.didRequestLogout) }
///     }
public protocol RecordingListener<Event>: Recording {}

/// A double for what an interactor presents to.
///
///     @MainActor final class HomePresentableMock: HomePresentable, RecordingPresentable {
///       enum Event: Equatable { case presentUser(User) }
///       let recorder = Recorder<Event>()
///       weak var listener: (any HomePresentableListener)?
///       func presentUser(_ user: User) async { record(.presentUser(user)) }
///     }
@MainActor
public protocol RecordingPresentable<Event>: Recording, Presentable {}
