// SPDX-License-Identifier: Apache-2.0

// An app for macOS in the shapes in which napkin 2.x is written: a root that launches in a window, and a sheet.
import AppKit
import Napkin
import SwiftUI

protocol DeskPresentableListener: AnyObject, Sendable {
  func didTapDrawer() async
}

protocol DeskPresentable: Presentable, Sendable {
  @MainActor var listener: DeskPresentableListener? { get set }
}

@MainActor protocol DeskRouting: LaunchRouting {
  func routeToDrawer() async
  func routeBackFromDrawer() async
}

@MainActor protocol DeskViewControllable: ViewControllable {}

final actor DeskInteractor: PresentableInteractable, DeskPresentableListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: DeskPresentable
  weak var router: DeskRouting?

  init(presenter: DeskPresentable) { self.presenter = presenter }
  func wire(router: DeskRouting?) { self.router = router }
  func didTapDrawer() async { await router?.routeToDrawer() }
}

struct DeskView: View {
  weak var listener: DeskPresentableListener?

  var body: some View {
    Button("Drawer") { dispatch { [listener] in await listener?.didTapDrawer() } }
  }
}

@MainActor
final class DeskViewController: NSHostingController<DeskView>, DeskPresentable {
  weak var listener: DeskPresentableListener? {
    didSet { rootView.listener = listener }
  }

  init() { super.init(rootView: DeskView()) }

  @MainActor required dynamic init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }
}

extension DeskViewController: DeskViewControllable {}

@MainActor protocol DrawerRouting: ViewableRouting {}
final class DrawerViewController: NSViewController, ViewControllable {}

final actor DrawerInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

@MainActor
final class DrawerRouter: ViewableRouter<DrawerInteractor, DrawerViewController>, DrawerRouting {}

@MainActor
final class DeskRouter: LaunchRouter<DeskInteractor, DeskViewControllable>, DeskRouting {
  private var drawer: DrawerRouting?

  func routeToDrawer() async {
    guard drawer == nil else { return }
    let router = DrawerRouter(
      interactor: DrawerInteractor(),
      viewController: DrawerViewController(nibName: nil, bundle: nil)
    )
    drawer = router
    await attachChild(router)
    viewController.nsviewController.presentAsSheet(router.viewControllable.nsviewController)
  }

  func routeBackFromDrawer() async {
    guard let router = drawer else { return }
    drawer = nil
    viewController.nsviewController.dismiss(router.viewControllable.nsviewController)
    await detachChild(router)
  }
}

nonisolated final class DeskBuilder: Builder<EmptyDependency> {
  @MainActor
  func build() async -> LaunchRouting {
    let viewController = DeskViewController()
    let interactor = DeskInteractor(presenter: viewController)
    let router = DeskRouter(interactor: interactor, viewController: viewController)
    viewController.listener = interactor
    await interactor.wire(router: router)
    return router
  }
}

nonisolated final class DeskComponent: Component<EmptyDependency> {}

@MainActor
final class AppDelegate: NSObject, NSApplicationDelegate {
  private let window = NSWindow()
  private var launchRouter: LaunchRouting?

  func applicationDidFinishLaunching(_ notification: Notification) {
    let builder = DeskBuilder(dependency: DeskComponent().dependency)
    Task { @MainActor in
      let router = await builder.build()
      self.launchRouter = router
      await router.launch(from: window)
    }
  }
}
