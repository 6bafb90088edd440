// swift-tools-version: 6.2
import PackageDescription

// The same tests four times, under every default isolation that a user's target may be set up with; and ten components with
// their tests, under the settings of a plain package and of a new Xcode project.
let modes: [String: [SwiftSetting]] = [
  "Nonisolated": [],
  "NonisolatedNonsending": [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
  "MainActor": [.defaultIsolation(MainActor.self)],
  "MainActorNonsending": [
    .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ],
]

let settings = [("Plain", "Nonisolated"), ("Xcode", "MainActorNonsending")]
let components: [Target] = settings.flatMap { name, mode -> [Target] in
  [
    .target(name: "\(name)App", path: "Components/\(name)App", swiftSettings: modes[mode]),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.target(name: "\(name)App"), .product(name: "NapkinTesting", package: "napkin")],
      path: "Components/\(name)Tests",
      swiftSettings: modes[mode]! + (name == "Xcode" ? [.define("IN_XCODE")] : [])
    ),
  ]
}

let tests: [Target] = modes.sorted { $0.key < $1.key }.map { name, settings in
  .testTarget(
    name: name,
    dependencies: [
      .product(name: "Napkin", package: "napkin"),
      .product(name: "NapkinTesting", package: "napkin"),
    ],
    path: "Modes/\(name)",
    // Where everything is on the main actor, half of the `await`s are one too many: that warning is the user's choice.
    swiftSettings: settings
  )
}

let package = Package(
  name: "IsolationModes",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: components + tests,
  swiftLanguageModes: [.v6]
)
