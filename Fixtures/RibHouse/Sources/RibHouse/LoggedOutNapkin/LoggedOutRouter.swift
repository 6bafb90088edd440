// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol LoggedOutRouting: ViewableRouting {}

@MainActor
protocol LoggedOutViewControllable: ViewControllable {}

final class LoggedOutRouter: ViewableRouter<LoggedOutInteractor, any LoggedOutViewControllable>, LoggedOutRouting {}
