// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Field",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .executableTarget(
      name: "field",
      dependencies: [
        .product(name: "Napkin", package: "napkin"), .product(name: "NapkinTesting", package: "napkin"),
      ],
      path: "Sources/Field")
  ],
  swiftLanguageModes: [.v6]
)
