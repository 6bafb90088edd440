// swift-tools-version: 6.2
import PackageDescription

// What `Fixtures/Hangs/run` runs: ordinary tests that hang, each in a process of its own, and slow ones that do not.
let package = Package(
  name: "Hangs",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(name: "HangTests", dependencies: [.product(name: "NapkinTesting", package: "napkin")]),
    .testTarget(name: "SlowTests", dependencies: [.product(name: "NapkinTesting", package: "napkin")]),
  ],
  swiftLanguageModes: [.v6]
)
