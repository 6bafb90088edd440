// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedOutPresentableListener: AnyObject, Sendable {
  func didTapLogin() async
}

final class LoggedOutViewController: Screen, LoggedOutPresentable, LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private var state = LoginState.asking

  func present(_ state: LoginState) async {
    self.state = state
  }

  override var lines: [String] {
    switch state {
    case .asking: ["", "  The smoke is up. Come in.", ""]
    case .waiting: ["", "  One moment …", ""]
    case .refused: ["", "  The house is full. Try again?", ""]
    }
  }

  override var keys: [Key] {
    state == .waiting
      ? [] : [Key(character: "l", label: "log in") { [listener] in dispatch { await listener?.didTapLogin() } }]
  }
}
