// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol PitBoardDependency: Dependency {
  var pitService: any PitService { get }
}

protocol PitBoardBuildable: Buildable {
  @MainActor func build(withListener listener: any PitBoardListener) async -> any PitBoardRouting
}

final class PitBoardBuilder: Builder<any PitBoardDependency>, PitBoardBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any PitBoardListener) async -> any PitBoardRouting {
    let viewController = PitBoardViewController()
    let interactor = PitBoardInteractor(presenter: viewController, pit: dependency.pitService)
    viewController.listener = interactor
    let router = PitBoardRouter(interactor: interactor, viewController: viewController)
    await interactor.wire(router: router, listener: listener)
    return router
  }
}
