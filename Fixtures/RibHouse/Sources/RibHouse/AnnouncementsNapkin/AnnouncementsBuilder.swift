// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol AnnouncementsDependency: Dependency {
  var specialsService: any SpecialsService { get }
}

protocol AnnouncementsBuildable: Buildable {
  func build(withListener listener: any AnnouncementsListener) async -> any AnnouncementsRouting
}

final class AnnouncementsBuilder: Builder<any AnnouncementsDependency>, AnnouncementsBuildable, @unchecked Sendable {
  func build(withListener listener: any AnnouncementsListener) async -> any AnnouncementsRouting {
    let interactor = AnnouncementsInteractor(specials: dependency.specialsService)
    await interactor.wire(listener: listener)
    return await AnnouncementsRouter(interactor: interactor)
  }
}
