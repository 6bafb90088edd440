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
    .target(name: "Meeting"),
    .target(name: "Subjects", dependencies: ["ClockLocks"]),
    .target(name: "Corpus", dependencies: ["Meeting"]),
    .executableTarget(name: "measure", dependencies: ["ClockLocks", "Corpus", "Subjects", napkin]),
    // Knows nothing of NapkinTesting: the thread sanitizer judges the same programs on real threads.
    .executableTarget(name: "oracle", dependencies: ["Corpus", "Meeting"]),
    .testTarget(
      name: "SplitStepsTests",
      dependencies: ["ClockLocks", "Subjects", .product(name: "Napkin", package: "napkin"), napkin]),
    .testTarget(name: "SharedStateTests", dependencies: [napkin]),
  ],
  swiftLanguageModes: [.v6]
)
