// SPDX-License-Identifier: Apache-2.0
import Napkin

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

// The root of an app, which launches in a window and attaches its first child when it is loaded.

nonisolated final class ShopComponent: Component<any EmptyDependency>, BakeryDependency, @unchecked Sendable {
  final class Rota: BakeryService {
    let bakerOnDuty = Baker(firstName: "Rose", lastName: "Levy")
  }

  var service: any BakeryService { shared { Rota() } }
  var till: Till { shared { Till() } }
}

@MainActor protocol ShopRouting: LaunchRouting {
  func routeToBakery() async
}

@MainActor protocol ShopViewControllable: ViewControllable {}

#if canImport(UIKit)
final class ShopViewController: UIViewController, ShopViewControllable {}
#elseif canImport(AppKit)
final class ShopViewController: NSViewController, ShopViewControllable {}
#else
final class ShopViewController: ShopViewControllable {}
#endif

final actor ShopInteractor: Interactable, BakeryListener {
  nonisolated let lifecycle = InteractorLifecycle()
  private(set) var closings = 0
  func bakeryDidClose() async { closings += 1 }
}

@MainActor
final class ShopRouter: LaunchRouter<ShopInteractor, any ShopViewControllable>, ShopRouting {
  private let bakeryBuilder: any BakeryBuildable

  init(
    interactor: ShopInteractor,
    viewController: any ShopViewControllable,
    bakeryBuilder: any BakeryBuildable
  ) {
    self.bakeryBuilder = bakeryBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override func didLoad() async {
    await super.didLoad()
    await routeToBakery()
  }

  func routeToBakery() async {
    let router = await bakeryBuilder.build(withListener: interactor)
    await attachChild(router)
  }
}

nonisolated final class ShopBuilder: Builder<any BakeryDependency>, @unchecked Sendable {
  @MainActor
  func build() async -> any ShopRouting {
    ShopRouter(
      interactor: ShopInteractor(),
      viewController: ShopViewController(),
      bakeryBuilder: BakeryBuilder(dependency: dependency)
    )
  }
}
