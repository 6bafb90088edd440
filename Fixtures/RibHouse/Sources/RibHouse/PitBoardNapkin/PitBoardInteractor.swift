// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol PitBoardListener: AnyObject, Sendable {
  func pitBoardDidClose(_ pitBoard: any PitBoardRouting) async
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
  private weak var router: (any PitBoardRouting)?
  private weak var listener: (any PitBoardListener)?

  init(presenter: any PitBoardPresentable, pit: any PitService) {
    self.presenter = presenter
    self.pit = pit
  }

  func wire(router: (any PitBoardRouting)?, listener: (any PitBoardListener)?) {
    self.router = router
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
    guard let router else { return }
    await listener?.pitBoardDidClose(router)
  }
}
