// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

@Test func `a tap asks the service, and its answer goes up`() async {
  let (listener, service) = (ReportListenerMock(), ReportServiceMock())
  let interactor = ReportInteractor(service: service)
  await interactor.wire(listener: listener)
  await interactor.activate()
  await interactor.didTapButton()
  #expect(service.answer.calls.count == 1)
  #expect(listener.events == ["success"])
}

final class ReportListenerMock: ReportListener, RecordingListener {
  let recorder = Recorder<String>()
  func didComplete(with result: String) async { record(result) }
}

struct ReportServiceMock: ReportService {
  let answer = Stub<Void, String>(returning: "success")
  func performAction() async throws -> String { try await answer() }
}
