// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol AnnouncementsListener: AnyObject, Sendable {
  func announcementsDidHear(_ special: Special) async
}

/// Has no screen: it hears what the kitchen shouts and passes it up.
final actor AnnouncementsInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let specials: any SpecialsService
  private weak var listener: (any AnnouncementsListener)?

  init(specials: any SpecialsService) {
    self.specials = specials
  }

  func wire(listener: (any AnnouncementsListener)?) {
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [specials, weak listener] in
      for await special in specials.specials() {
        await listener?.announcementsDidHear(special)
      }
    }
  }
}
