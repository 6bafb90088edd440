// SPDX-License-Identifier: Apache-2.0
import Napkin

// The feature that the page of napkin 0.x tests, as it is written now: a tap asks a service, and its answer goes up.

nonisolated protocol ReportService: Sendable {
  func performAction() async throws -> String
}

protocol ReportListener: AnyObject, Sendable {
  func didComplete(with result: String) async
}

final actor ReportInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private weak var listener: (any ReportListener)?
  private let service: any ReportService

  init(service: any ReportService) {
    self.service = service
  }

  func wire(listener: (any ReportListener)?) {
    self.listener = listener
  }

  func didTapButton() async {
    guard let result = try? await service.performAction() else { return }
    await listener?.didComplete(with: result)
  }
}
