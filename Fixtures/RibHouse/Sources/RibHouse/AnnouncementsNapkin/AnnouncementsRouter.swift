// SPDX-License-Identifier: Apache-2.0
import Napkin

@MainActor
protocol AnnouncementsRouting: Routing {}

final class AnnouncementsRouter: Router<AnnouncementsInteractor>, AnnouncementsRouting {}
