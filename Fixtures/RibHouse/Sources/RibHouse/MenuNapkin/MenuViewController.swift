// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol MenuPresentableListener: AnyObject, Sendable {
  func didTapNext() async
  func didTapOrder() async
  /// The view has been popped already.
  func didGoBack() async
}

@MainActor
protocol MenuViewControllable: ViewControllable {
  func show(rows: [String])
}

final class MenuViewController: Screen, MenuViewControllable {
  weak var listener: (any MenuPresentableListener)?
  private var rows: [String] = []

  func show(rows: [String]) {
    self.rows = rows
  }

  /// The user has gone back: the view is gone, and the napkin does not know yet.
  override func wasPopped() {
    dispatch { [listener] in await listener?.didGoBack() }
  }

  override var lines: [String] { rows.map { "  " + $0 } }

  override var keys: [Key] {
    [
      Key(character: "n", label: "next") { [listener] in dispatch { await listener?.didTapNext() } },
      Key(character: "f", label: "order") { [listener] in dispatch { await listener?.didTapOrder() } },
    ]
  }
}
