// SPDX-License-Identifier: Apache-2.0

// An app for iOS in the shapes in which napkin 2.x is written: a root that launches in a scene's window, a quay with a
// SwiftUI view, children that are presented, pushed and embedded, and one without a view. It compiles whatever a target's
// default isolation is: a builder or component is nonisolated like its superclass, whether or not it says so, and the
// protocols that they read say it themselves.
import Napkin
import SwiftUI
import UIKit

struct Skipper: Sendable {
  let firstName: String
  let lastName: String
}

nonisolated protocol HarbourService: AnyObject, Observable, Sendable {
  var skipperOnDuty: Skipper { get }
}

@Observable
nonisolated final class HarbourOffice: HarbourService, Sendable {
  var skipperOnDuty: Skipper { Skipper(firstName: "Grace", lastName: "O'Malley") }
}

// The root, which launches.

protocol HarbourListener: AnyObject, Sendable {}
final class Harbourmaster: HarbourListener {}

@MainActor protocol HarbourRouting: LaunchRouting {
  func routeToQuay() async
}

@MainActor protocol HarbourViewControllable: ViewControllable {}
final class HarbourViewController: UIViewController, HarbourViewControllable {}

final actor HarbourInteractor: Interactable, QuayListener {
  nonisolated let lifecycle = InteractorLifecycle()
  weak var router: HarbourRouting?

  func wire(router: HarbourRouting?) { self.router = router }
  func quayDidClose() async {}
}

@MainActor
final class HarbourRouter: LaunchRouter<HarbourInteractor, HarbourViewControllable>, HarbourRouting {
  private let quayBuilder: QuayBuildable

  init(interactor: HarbourInteractor, viewController: HarbourViewControllable, quayBuilder: QuayBuildable) {
    self.quayBuilder = quayBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() async {
    await super.didLoad()
    await routeToQuay()
  }

  func routeToQuay() async {
    let router = await quayBuilder.build(withListener: interactor)
    await attachChild(router)
  }
}

nonisolated final class HarbourBuilder: Builder<QuayDependency> {
  @MainActor
  func build(withListener listener: HarbourListener) async -> LaunchRouting {
    let interactor = HarbourInteractor()
    let router = HarbourRouter(
      interactor: interactor,
      viewController: HarbourViewController(nibName: nil, bundle: nil),
      quayBuilder: QuayBuilder(dependency: dependency)
    )
    await interactor.wire(router: router)
    return router
  }
}

final class HarbourComponent: Component<EmptyDependency>, QuayDependency {
  var service: HarbourService { shared { HarbourOffice() } }
}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private var launchRouter: LaunchRouting?

  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let windowScene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: windowScene)
    self.window = window

    let component = HarbourComponent()
    let builder = HarbourBuilder(dependency: component)

    Task { @MainActor in
      let router = await builder.build(withListener: Harbourmaster())
      self.launchRouter = router
      await router.launch(from: window)
    }
  }
}

// A feature with a view.

nonisolated protocol QuayDependency: Dependency {
  var service: HarbourService { get }
}

nonisolated final class QuayComponent: Component<QuayDependency> {
  var service: HarbourService { dependency.service }
  var ledger: Ledger { shared { Ledger(service: service) } }
}

nonisolated final class Ledger: Sendable {
  let service: HarbourService
  init(service: HarbourService) { self.service = service }
}

protocol QuayListener: AnyObject, Sendable {
  func quayDidClose() async
}

@MainActor protocol QuayRouting: ViewableRouting {
  func routeToBerth() async
  func routeBackFromBerth() async
}

protocol QuayPresentableListener: AnyObject, Sendable {
  func didTapBerth() async
  func didTapClose() async
}

protocol QuayPresentable: Presentable, Sendable {
  @MainActor var listener: QuayPresentableListener? { get set }
  func presentSkipper(_ skipper: Skipper) async
}

@MainActor protocol QuayViewControllable: ViewControllable {
  func displayName(_ name: String)
}

protocol QuayBuildable: Buildable {
  @MainActor func build(withListener listener: QuayListener) async -> QuayRouting
}

nonisolated final class QuayBuilder: Builder<QuayDependency>, QuayBuildable {
  @MainActor
  func build(withListener listener: QuayListener) async -> QuayRouting {
    let component = QuayComponent(dependency: dependency)
    let viewController = QuayViewController()
    let interactor = QuayInteractor(presenter: viewController, service: component.service)
    let router = QuayRouter(
      interactor: interactor,
      viewController: viewController,
      berthBuilder: BerthBuilder(dependency: EmptyComponent())
    )
    viewController.listener = interactor
    await interactor.wire(router: router, listener: listener)
    return router
  }
}

final actor QuayInteractor: PresentableInteractable, QuayPresentableListener, BerthListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: QuayPresentable
  weak var router: QuayRouting?
  weak var listener: QuayListener?
  private let service: HarbourService

  init(presenter: QuayPresentable, service: HarbourService) {
    self.presenter = presenter
    self.service = service
  }

  func wire(router: QuayRouting?, listener: QuayListener?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [presenter, service] in
      for await skipper in Observations({ service.skipperOnDuty }) {
        await presenter.presentSkipper(skipper)
      }
    }
  }

  func willResignActive() async {}

  func didTapBerth() async { await router?.routeToBerth() }
  func didTapClose() async { await listener?.quayDidClose() }
  func berthDidFinish() async { await router?.routeBackFromBerth() }
}

struct QuayView: View {
  weak var listener: QuayPresentableListener?

  var body: some View {
    Button("Berth") {
      dispatch { [listener] in await listener?.didTapBerth() }
    }
  }
}

@MainActor
final class QuayViewController: UIHostingController<QuayView>, QuayPresentable {
  weak var listener: QuayPresentableListener? {
    didSet { rootView.listener = listener }
  }

  init() {
    super.init(rootView: QuayView())
  }

  @MainActor required dynamic init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  func presentSkipper(_ skipper: Skipper) async {}
}

extension QuayViewController: QuayViewControllable {
  func displayName(_ name: String) {}
}

@MainActor
final class QuayRouter: ViewableRouter<QuayInteractor, QuayViewControllable>, QuayRouting {
  private let berthBuilder: BerthBuildable
  private var berthRouter: BerthRouting?

  init(interactor: QuayInteractor, viewController: QuayViewControllable, berthBuilder: BerthBuildable) {
    self.berthBuilder = berthBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToBerth() async {
    guard berthRouter == nil else { return }
    let router = await berthBuilder.build(withListener: interactor)
    berthRouter = router
    await attachChild(router)
    viewController.uiviewController.present(router.viewControllable.uiviewController, animated: true)
  }

  func routeBackFromBerth() async {
    guard let router = berthRouter else { return }
    berthRouter = nil
    viewController.uiviewController.dismiss(animated: true)
    await detachChild(router)
  }

  func pushBerth() async {
    let router = await berthBuilder.build(withListener: interactor)
    await attachChild(router)
    let navigation = viewController.uiviewController as! UINavigationController
    navigation.pushViewController(router.viewControllable.uiviewController, animated: true)
  }

  func embedBerth() async {
    let router = await berthBuilder.build(withListener: interactor)
    await attachChild(router)
    let parent = viewController.uiviewController
    let child = router.viewControllable.uiviewController
    parent.addChild(child)
    parent.view.addSubview(child.view)
    child.didMove(toParent: parent)
  }
}

// A presenter of its own, which a SwiftUI view follows.

@MainActor
@Observable
final class BerthPresenter: Presenter<BerthViewControllable>, BerthPresentable {
  var displayName: String = ""

  func presentSkipper(_ skipper: Skipper) async {
    displayName = "\(skipper.firstName) \(skipper.lastName)"
    viewController.displayName(displayName)
  }
}

struct BerthView: View {
  @Bindable var presenter: BerthPresenter

  var body: some View {
    VStack {
      Text(presenter.displayName)
      Button("Close") { dispatch { [presenter] in presenter.displayName = "" } }
    }
  }
}

protocol BerthPresentable: Presentable, Sendable {
  func presentSkipper(_ skipper: Skipper) async
}

protocol BerthListener: AnyObject, Sendable {
  func berthDidFinish() async
}

@MainActor protocol BerthRouting: ViewableRouting {}
@MainActor protocol BerthViewControllable: ViewControllable {
  func displayName(_ name: String)
}

final class BerthViewController: UIViewController, BerthViewControllable {
  func displayName(_ name: String) {}
}

final actor BerthInteractor: PresentableInteractable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: BerthPresentable
  weak var listener: BerthListener?

  init(presenter: BerthPresentable) { self.presenter = presenter }
  func wire(listener: BerthListener?) { self.listener = listener }
}

@MainActor
final class BerthRouter: ViewableRouter<BerthInteractor, BerthViewControllable>, BerthRouting {}

protocol BerthBuildable: Buildable {
  @MainActor func build(withListener listener: BerthListener) async -> BerthRouting
}

nonisolated final class BerthBuilder: Builder<EmptyDependency>, BerthBuildable {
  @MainActor
  func build(withListener listener: BerthListener) async -> BerthRouting {
    let viewController = BerthViewController(nibName: nil, bundle: nil)
    let interactor = BerthInteractor(presenter: BerthPresenter(viewController: viewController))
    await interactor.wire(listener: listener)
    return BerthRouter(interactor: interactor, viewController: viewController)
  }
}

// A feature without a view, built off the main actor.

protocol SoundingListener: AnyObject, Sendable {}
@MainActor protocol SoundingRouting: Routing {}

nonisolated protocol SoundingBuildable: Buildable {
  func build(withListener listener: SoundingListener) async -> SoundingRouting
}

final actor SoundingInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

@MainActor
final class SoundingRouter: Router<SoundingInteractor>, SoundingRouting {}

final class SoundingBuilder: Builder<EmptyDependency>, SoundingBuildable {
  func build(withListener listener: SoundingListener) async -> SoundingRouting {
    await SoundingRouter(interactor: SoundingInteractor())
  }
}
