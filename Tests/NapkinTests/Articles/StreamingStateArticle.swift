// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Observation
import Synchronization
import Testing

// The code of the page, as it stands there.

@MainActor
@Observable
final class Thermometer {
  private(set) var degrees = 20
  func read(_ degrees: Int) { self.degrees = degrees }
}

protocol StovePresentable: Presentable, Sendable {
  func present(degrees: Int) async
  func present(message: String) async
}

final actor StoveInteractor: PresentableInteractable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any StovePresentable
  private let thermometer: Thermometer
  private let messages: Messages

  init(presenter: any StovePresentable, thermometer: Thermometer, messages: Messages) {
    self.presenter = presenter
    self.thermometer = thermometer
    self.messages = messages
  }

  func didBecomeActive() async {
    task { @MainActor [presenter, thermometer] in
      for await degrees in Observations({ thermometer.degrees }) { await presenter.present(degrees: degrees) }
    }
    task { [presenter, messages] in
      for await message in messages.stream() { await presenter.present(message: message) }
    }
  }
}

nonisolated final class Messages: Sendable {
  private let listeners = Mutex<[Int: AsyncStream<String>.Continuation]>([:])
  private let last = Mutex(0)

  var listenerCount: Int { listeners.withLock { $0.count } }

  func send(_ message: String) {
    listeners.withLock { listeners in
      for number in listeners.keys.sorted() { listeners[number]?.yield(message) }
    }
  }

  func stream() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let number = last.withLock { last in
      last += 1
      return last
    }
    listeners.withLock { $0[number] = continuation }
    continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0[number] = nil } }
    return stream
  }
}

@MainActor private final class StoveMock: StovePresentable, RecordingPresentable {
  let recorder = Recorder<String>()
  func present(degrees: Int) async { record("\(degrees)°") }
  func present(message: String) async { record(message) }
}

@MainActor @Suite struct StreamingStateArticle {
  @Test(.interleavings(300, seed: 1)) func `state and events reach the view, and nothing listens after a detach`() async
  {
    let thermometer = Thermometer()
    let messages = Messages()
    let view = StoveMock()
    let interactor = StoveInteractor(presenter: view, thermometer: thermometer, messages: messages)
    await interactor.activate()
    await Execution.settle()
    messages.send("The ribs are done.")
    thermometer.read(90)
    let events = await view.recorder.events(atLeast: 3)
    #expect(events.first == "20°")
    #expect(events.contains("The ribs are done.") && events.contains("90°"))
    await interactor.deactivate()
    await Execution.settle()
    #expect(messages.listenerCount == 0)
  }
}
