// swift-tools-version: 6.2
import PackageDescription

// What `.ci/isolation` runs: a test that crashes, among four that pass.
let package = Package(
  name: "Isolation",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(
      name: "IsolationTests", dependencies: [.product(name: "NapkinTesting", package: "napkin")])
  ],
  swiftLanguageModes: [.v6]
)
