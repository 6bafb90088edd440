// SPDX-License-Identifier: Apache-2.0
import Napkin

/// What the world outside may do with the app.
@MainActor
package protocol HouseRouting: LaunchRouting {
  /// Opens what a link names: now, or as soon as a guest is at the table.
  func open(_ link: DeepLink) async
}

/// Builds the whole tree of the app, ready to be launched.
@MainActor
package func buildHouse() async -> any HouseRouting {
  await LaunchBuilder(dependency: AppComponent()).build()
}

/// The root of what the app is made of: one of each service, for as long as the app runs.
final class AppComponent: Component<any EmptyDependency>, LaunchDependency, @unchecked Sendable {
  var authService: any AuthService { shared { HouseAuthService() } }
  var pitService: any PitService { shared { HousePitService() } }
  var specialsService: any SpecialsService { shared { HouseSpecialsService() } }
  var pantry: Pantry { shared { Pantry() } }
}
