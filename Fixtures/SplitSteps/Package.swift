// swift-tools-version: 6.2
import PackageDescription

// What `.ci/split-steps` builds with the calls for accesses, and tests.

// The flags as a setting of a root package's own targets, in place of the command line.
let splits = Context.environment["SPLIT_IN_MANIFEST"] != nil
let settings: [SwiftSetting] = splits ? [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])] : []

let napkin = Target.Dependency.product(name: "NapkinTesting", package: "napkin")
let package = Package(
  name: "SplitSteps",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .target(name: "ClockLocks"),
    .target(name: "Subjects", dependencies: ["ClockLocks"], swiftSettings: settings),
    .executableTarget(name: "measure", dependencies: ["ClockLocks", "Subjects", napkin]),
    .testTarget(
      name: "SplitStepsTests",
      dependencies: ["Subjects", .product(name: "Napkin", package: "napkin"), napkin],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
