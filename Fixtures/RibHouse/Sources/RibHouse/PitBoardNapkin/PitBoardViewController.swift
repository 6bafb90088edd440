// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol PitBoardPresentableListener: AnyObject, Sendable {
  func didTapClose() async
}

final class PitBoardViewController: Screen, PitBoardPresentable, PitBoardViewControllable {
  weak var listener: (any PitBoardPresentableListener)?
  private(set) var cuts: [Cut] = []

  func presentCuts(_ cuts: [Cut]) async {
    self.cuts = cuts
  }

  override var lines: [String] {
    let width = 8
    return cuts.map { cut in
      let done = min(width, width * cut.temperature / cut.target)
      let name = cut.name + String(repeating: " ", count: max(0, 11 - cut.name.count))
      let bar = String(repeating: "#", count: done) + String(repeating: "-", count: width - done)
      return "  \(name)\(bar)  \(cut.temperature) of \(cut.target) °C\(cut.isDone ? "  done" : "")"
    } + [""]
  }

  override var keys: [Key] {
    [Key(character: "c", label: "close") { [listener] in dispatch { await listener?.didTapClose() } }]
  }
}
