// swift-tools-version: 6.2
import PackageDescription

// What Swift 6.2 gets, which Xcode 26.0 to 26.3 have: `Napkin` and its command. `NapkinTesting` needs Swift 6.3.
let package = Package(
  name: "napkin",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [
    .library(name: "Napkin", targets: ["Napkin"]),
    .plugin(name: "NapkinCommand", targets: ["NapkinCommand"]),
  ],
  targets: [
    .target(
      name: "Napkin",
      exclude: ["Command"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    ),
    .plugin(
      name: "NapkinCommand",
      capability: .command(
        intent: .custom(verb: "napkin", description: "Write a napkin, its tests, or what an app has around it"),
        permissions: [.writeToPackageDirectory(reason: "It writes the sources that you ask for.")]
      ),
      path: "Sources/Napkin/Command",
      exclude: ["Templates", "install-xcode-templates"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
