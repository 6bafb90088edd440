// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
import Napkin
import RibHouse
import UIKit

/// Shows the house on iOS: the lines of its screen in a label, and a button for each key.
public final class HouseViewController: UIViewController, LaunchWindow {
  private let label = UILabel()
  private let buttons = UIStackView()
  private var root: Screen?
  private var shown: [String] = []
  private var refreshing: Task<Void, Never>?

  public override func loadView() {
    label.numberOfLines = 0
    let stack = UIStackView(arrangedSubviews: [label, buttons])
    stack.axis = .vertical
    view = stack
  }

  public override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    refreshing = Task { [weak self] in
      while !Task.isCancelled {
        self?.refresh()
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  public override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    refreshing?.cancel()
  }

  /// Takes the root's screen, which is drawn from then on.
  public func show(root: any ViewControllable) {
    self.root = root as? Screen
  }

  private func refresh() {
    let keys = root?.keys ?? []
    label.text = (root?.lines ?? []).joined(separator: "\n")
    guard keys.map(\.label) != shown else { return }
    shown = keys.map(\.label)
    for button in buttons.arrangedSubviews { button.removeFromSuperview() }
    for key in keys {
      let action = UIAction(title: key.label) { _ in key.press() }
      buttons.addArrangedSubview(UIButton(type: .system, primaryAction: action))
    }
  }
}

/// Builds the house in a scene's window, and keeps it for as long as the scene lives.
public final class HouseSceneDelegate: UIResponder, UIWindowSceneDelegate {
  /// The scene's window.
  public var window: UIWindow?
  private let house = Task { await buildHouse() }

  /// Builds the house in the window of a scene that connects.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    let viewController = HouseViewController(nibName: nil, bundle: nil)
    window.rootViewController = viewController
    window.makeKeyAndVisible()
    self.window = window
    dispatch { [house] in await house.value.launch(from: viewController) }
    open(connectionOptions.urlContexts)
  }

  /// Opens links that arrive while the scene is there.
  public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    open(contexts)
  }

  private func open(_ contexts: Set<UIOpenURLContext>) {
    for link in contexts.compactMap({ DeepLink($0.url.absoluteString) }) {
      dispatch { [house] in await house.value.open(link) }
    }
  }
}
#endif
