// SPDX-License-Identifier: Apache-2.0
import Napkin
import Observation

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

// A feature with a view, in the shapes in which napkin 2.x shows one. Two things are said that its pages leave out, since
// this package lets no warning pass: a subclass of a builder or component repeats `@unchecked Sendable`, and a protocol
// that is used as a type is spelled `any`.

struct Baker: Equatable, Sendable {
  var firstName: String
  var lastName: String
}

protocol BakeryService: AnyObject, Sendable {
  var bakerOnDuty: Baker { get }
}

// Dependency and component.

protocol BakeryDependency: Dependency {
  var service: any BakeryService { get }
  var till: Till { get }
}

final class Till: Sendable {}

final class Scale: Sendable {
  let till: Till
  init(till: Till) { self.till = till }
}

struct Receipt: Sendable {
  let scale: Scale
}

nonisolated final class BakeryComponent: Component<any BakeryDependency>, @unchecked Sendable {
  // Passed through.
  var service: any BakeryService { dependency.service }

  // One in this scope.
  var scale: Scale { shared { Scale(till: dependency.till) } }

  // A new one each time.
  var receipt: Receipt { Receipt(scale: scale) }
}

// Interactor.

protocol BakeryListener: AnyObject, Sendable {
  func bakeryDidClose() async
}

@MainActor
protocol BakeryRouting: ViewableRouting {
  func routeToOven() async
  func routeBackFromOven() async
}

protocol BakeryPresentableListener: AnyObject, Sendable {
  func didTapOven() async
  func didTapClose() async
}

protocol BakeryPresentable: Presentable, Sendable {
  @MainActor var listener: (any BakeryPresentableListener)? { get set }
  func presentBaker(_ baker: Baker) async
}

final actor BakeryInteractor: PresentableInteractable, BakeryPresentableListener, OvenListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any BakeryPresentable

  weak var router: (any BakeryRouting)?
  weak var listener: (any BakeryListener)?

  private let service: any BakeryService

  init(presenter: any BakeryPresentable, service: any BakeryService) {
    self.presenter = presenter
    self.service = service
  }

  func wire(router: (any BakeryRouting)?, listener: (any BakeryListener)?) {
    self.router = router
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [presenter, service] in
      for await baker in Observations({ service.bakerOnDuty }) {
        await presenter.presentBaker(baker)
      }
    }
  }

  func willResignActive() async {}

  func didTapOven() async { await router?.routeToOven() }
  func didTapClose() async { await listener?.bakeryDidClose() }
  func ovenDidFinish() async { await router?.routeBackFromOven() }
}

// Router.

@MainActor
final class BakeryRouter: ViewableRouter<BakeryInteractor, any BakeryViewControllable>, BakeryRouting {
  private let ovenBuilder: any OvenBuildable
  private var ovenRouter: (any OvenRouting)?

  init(
    interactor: BakeryInteractor,
    viewController: any BakeryViewControllable,
    ovenBuilder: any OvenBuildable
  ) {
    self.ovenBuilder = ovenBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToOven() async {
    guard ovenRouter == nil else { return }
    let router = await ovenBuilder.build(withListener: interactor)
    ovenRouter = router
    await attachChild(router)
  }

  func routeBackFromOven() async {
    guard let router = ovenRouter else { return }
    ovenRouter = nil
    await detachChild(router)
  }
}

// View, to which the interactor presents.

@MainActor protocol BakeryViewControllable: ViewControllable {
  func displayName(_ name: String)
}

#if canImport(UIKit)
class BakeryScreen: UIViewController {}
#elseif canImport(AppKit)
class BakeryScreen: NSViewController {}
#else
@MainActor class BakeryScreen {}
#endif

@MainActor
final class BakeryViewController: BakeryScreen, BakeryPresentable {
  weak var listener: (any BakeryPresentableListener)?
  private(set) var name = ""

  func presentBaker(_ baker: Baker) async {
    displayName("\(baker.firstName) \(baker.lastName)")
  }

  func tapOven() {
    dispatch { [listener] in await listener?.didTapOven() }
  }
}

extension BakeryViewController: BakeryViewControllable {
  func displayName(_ name: String) { self.name = name }
}

// Builder.

protocol BakeryBuildable: Buildable {
  @MainActor func build(withListener listener: any BakeryListener) async -> any BakeryRouting
}

nonisolated final class BakeryBuilder: Builder<any BakeryDependency>, BakeryBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any BakeryListener) async -> any BakeryRouting {
    let component = BakeryComponent(dependency: dependency)
    let viewController = BakeryViewController()
    let interactor = BakeryInteractor(presenter: viewController, service: component.service)
    let router = BakeryRouter(
      interactor: interactor,
      viewController: viewController,
      ovenBuilder: OvenBuilder(dependency: EmptyComponent())
    )
    await interactor.wire(router: router, listener: listener)
    return router
  }
}

// A presenter of its own.

@MainActor
@Observable
final class BakeryPresenter: Presenter<any BakeryViewControllable>, BakeryPresentable {
  @ObservationIgnored weak var listener: (any BakeryPresentableListener)?
  var displayName: String = ""

  func presentBaker(_ baker: Baker) async {
    displayName = "\(baker.firstName) \(baker.lastName)"
    viewController.displayName(displayName)
  }
}
