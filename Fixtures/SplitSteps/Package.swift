// swift-tools-version: 6.2
import PackageDescription

// What `.ci/split-steps` builds with the calls for accesses, and tests.

let napkin = Target.Dependency.product(name: "NapkinTesting", package: "napkin")
let package = Package(
  name: "SplitSteps",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .target(name: "ClockLocks"),
    .target(name: "Subjects", dependencies: ["ClockLocks"]),
    .executableTarget(name: "measure", dependencies: ["ClockLocks", "Subjects", napkin]),
    .testTarget(
      name: "SplitStepsTests",
      dependencies: ["ClockLocks", "Subjects", .product(name: "Napkin", package: "napkin"), napkin]),
  ],
  swiftLanguageModes: [.v6]
)
