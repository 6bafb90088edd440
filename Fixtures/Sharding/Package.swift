// swift-tools-version: 6.2
import PackageDescription

// What `.ci/sharding` runs whole and in shards.
let package = Package(
  name: "Sharding",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(
      name: "ShardingTests", dependencies: [.product(name: "NapkinTesting", package: "napkin")])
  ],
  swiftLanguageModes: [.v6]
)
