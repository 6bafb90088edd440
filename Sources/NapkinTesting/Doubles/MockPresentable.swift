// SPDX-License-Identifier: Apache-2.0

/// A base class for doubles of presentables, which brings the recorder along.
///
///     final class HomePresentableMock: MockPresentable<HomeCall>, HomePresentable {
///       func presentUser(_ user: User) async { record(.presentUser(user)) }
///     }
@MainActor
open class MockPresentable<Event: Sendable>: RecordingPresentable {
  /// Holds what was presented.
  public nonisolated let recorder: Recorder<Event>

  /// Starts with nothing presented.
  public init() {
    recorder = Recorder("\(Self.self)")
  }
}
