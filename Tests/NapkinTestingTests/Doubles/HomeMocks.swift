// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

protocol HomeListener: AnyObject, Sendable { func homeDidRequestLogout() async }

final class HomeListenerMock: HomeListener, RecordingListener {
  enum Event: Equatable { case didRequestLogout }
  let recorder = Recorder<Event>()
  func homeDidRequestLogout() async { record(.didRequestLogout) }
}
