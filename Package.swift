// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "napkin",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [
    .library(name: "Napkin", targets: ["Napkin"]),
    .library(name: "NapkinTesting", targets: ["NapkinTesting"]),
  ],
  targets: [
    .target(name: "Napkin"),
    .target(
      name: "NapkinTesting",
      dependencies: ["Napkin", "NapkinTestingCRuntime"],
      exclude: ["Simulation/CRuntime"]
    ),
    // The one thing that cannot be written in Swift: it takes the place of a function of the runtime.
    .target(
      name: "NapkinTestingCRuntime",
      path: "Sources/NapkinTesting/Simulation/CRuntime"
    ),
    .testTarget(name: "NapkinTests", dependencies: ["Napkin", "NapkinTesting"]),
    .testTarget(name: "NapkinTestingTests", dependencies: ["Napkin", "NapkinTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

// One house, one set of rules: every Swift target compiles under the same settings, and no warning passes.
for target in package.targets where target.name != "NapkinTestingCRuntime" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
