// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
import Napkin
import Observation
import RibHouse
import SwiftUI

/// What the house shows, for SwiftUI to follow.
@MainActor
@Observable
public final class HouseModel: LaunchWindow {
  fileprivate private(set) var lines: [String] = []
  fileprivate private(set) var keys: [Key] = []
  @ObservationIgnored private let house = Task { await buildHouse() }
  @ObservationIgnored private var root: Screen?

  /// A model that shows nothing until it runs.
  public init() {}

  /// Builds the house, brings it up, and follows its screen until the task is cancelled.
  public func run() async {
    await house.value.launch(from: self)
    while !Task.isCancelled {
      refresh()
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Opens a link from the system; one that leads nowhere in the app is ignored.
  public func open(_ url: URL) {
    guard let link = DeepLink(url.absoluteString) else { return }
    dispatch { [house] in await house.value.open(link) }
  }

  /// Takes the root's screen, which is read from then on.
  public func show(root: any ViewControllable) {
    self.root = root as? Screen
  }

  private func refresh() {
    guard let root else { return }
    if lines != root.lines { lines = root.lines }
    if keys.map(\.label) != root.keys.map(\.label) { keys = root.keys }
  }
}

/// The house in SwiftUI: `HouseView(model: model).task { await model.run() }` in the scene of an app.
public struct HouseView: View {
  private let model: HouseModel

  /// Takes the model that it draws.
  public init(model: HouseModel) {
    self.model = model
  }

  /// The lines, and a button for each key.
  public var body: some View {
    VStack {
      Text(model.lines.joined(separator: "\n"))
      ForEach(model.keys, id: \.character) { key in
        Button(key.label) { key.press() }
      }
    }
    .onOpenURL { model.open($0) }
  }
}
#endif
