// swift-tools-version: 6.2
import PackageDescription

// `Fixtures/Matrix/matrix` builds it, and says which cells its tests run.
let package = Package(
  name: "Matrix",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(
      name: "MatrixTests",
      dependencies: [
        .product(name: "Napkin", package: "napkin"), .product(name: "NapkinTesting", package: "napkin"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
