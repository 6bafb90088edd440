// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedOutDependency: Dependency {}

protocol LoggedOutBuildable: Buildable {
  @MainActor func build(withListener listener: any LoggedOutListener) async -> any LoggedOutRouting
}

final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable, @unchecked Sendable {
  @MainActor
  func build(withListener listener: any LoggedOutListener) async -> any LoggedOutRouting {
    let viewController = LoggedOutViewController()
    let interactor = LoggedOutInteractor(presenter: viewController)
    await interactor.wire(listener: listener)
    viewController.listener = interactor
    return LoggedOutRouter(interactor: interactor, viewController: viewController)
  }
}
