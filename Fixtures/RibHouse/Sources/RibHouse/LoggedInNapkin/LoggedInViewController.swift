// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedInPresentableListener: AnyObject, Sendable {
  func didTapPitBoard() async
  func didTapMenu() async
  func didTapDismissBanner() async
  func didTapLogout() async
}

final class LoggedInViewController: Screen, LoggedInPresentable, LoggedInViewControllable {
  weak var listener: (any LoggedInPresentableListener)?
  private var guest: Guest?
  private(set) var banner: Special?
  private(set) var pitBoard: Screen?
  private(set) var menu: Screen?

  func presentGuest(_ guest: Guest) async {
    self.guest = guest
  }

  func presentBanner(_ special: Special?) async {
    banner = special
  }

  func showPitBoard(_ viewController: (any ViewControllable)?) {
    pitBoard = viewController as? Screen
  }

  func showMenu(_ viewController: (any ViewControllable)?) {
    menu = viewController as? Screen
  }

  /// What a back button does: it pops the view, and only then does the napkin hear of it.
  func goBack() {
    guard let popped = menu else { return }
    menu = nil
    popped.wasPopped()
  }

  override var lines: [String] {
    let announced =
      banner.map { ["  * Today: \($0.dish), $\($0.price / 100).\($0.price % 100 / 10)\($0.price % 10) *"] } ?? []
    let welcome = ["", "  Good to see you, \(guest?.name ?? "stranger").", ""]
    return announced + (menu.map { [""] + $0.lines } ?? welcome + (pitBoard?.lines ?? []))
  }

  override var keys: [Key] {
    var keys: [Key] = []
    if banner != nil {
      keys.append(
        Key(character: "d", label: "dismiss") { [listener] in dispatch { await listener?.didTapDismissBanner() } })
    }
    if menu != nil {
      keys.append(Key(character: "b", label: "back") { [weak self] in self?.goBack() })
    } else {
      if pitBoard == nil {
        keys.append(
          Key(character: "p", label: "pit board") { [listener] in dispatch { await listener?.didTapPitBoard() } })
      }
      keys.append(Key(character: "m", label: "menu") { [listener] in dispatch { await listener?.didTapMenu() } })
    }
    keys.append(Key(character: "o", label: "log out") { [listener] in dispatch { await listener?.didTapLogout() } })
    return ((menu ?? pitBoard)?.keys ?? []) + keys
  }
}
