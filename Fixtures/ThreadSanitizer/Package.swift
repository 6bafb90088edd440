// swift-tools-version: 6.2
import PackageDescription

// What `.ci/thread-sanitizer` builds and runs.
let package = Package(
  name: "ThreadSanitizer",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .executableTarget(
      name: "races",
      dependencies: [
        .product(name: "Napkin", package: "napkin"),
        .product(name: "NapkinTesting", package: "napkin"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
