// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Calls",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .executableTarget(
      name: "calls", dependencies: [.product(name: "NapkinTesting", package: "napkin")], path: "Sources/Calls"),
    .testTarget(
      name: "CallsTests",
      dependencies: [
        .product(name: "Napkin", package: "napkin"), .product(name: "NapkinTesting", package: "napkin"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
