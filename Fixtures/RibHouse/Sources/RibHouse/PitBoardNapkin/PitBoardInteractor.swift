// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol PitBoardListener: AnyObject, Sendable {
  func pitBoardDidClose() async
}

protocol PitBoardPresentable: Presentable, Sendable {
  var listener: (any PitBoardPresentableListener)? { get set }
  func presentCuts(_ cuts: [Cut]) async
}

/// The board over the counter, which shows what is in the pit and how far it is.
final actor PitBoardInteractor: PresentableInteractable, PitBoardPresentableListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any PitBoardPresentable
  private let pit: any PitService
  private weak var listener: (any PitBoardListener)?

  init(presenter: any PitBoardPresentable, pit: any PitService) {
    self.presenter = presenter
    self.pit = pit
  }

  func wire(listener: (any PitBoardListener)?) {
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [presenter, pit] in
      for await cuts in pit.readings() {
        await presenter.presentCuts(cuts)
      }
    }
  }

  func didTapClose() async {
    await listener?.pitBoardDidClose()
  }
}
