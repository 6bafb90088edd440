// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol PitBoardRouting: ViewableRouting {}

@MainActor
protocol PitBoardViewControllable: ViewControllable {}

final class PitBoardRouter: ViewableRouter<PitBoardInteractor, any PitBoardViewControllable>, PitBoardRouting {}
