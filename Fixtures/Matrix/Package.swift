// swift-tools-version: 6.2
import PackageDescription

// `Fixtures/Matrix/matrix` builds it, and says which cells its tests run.
// With MATRIX_SETTINGS=xcode they have the settings of a new Xcode project.
let settings: [SwiftSetting] =
  Context.environment["MATRIX_SETTINGS"] == "xcode"
  ? [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")] : []

let package = Package(
  name: "Matrix",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(
      name: "MatrixTests",
      dependencies: [
        .product(name: "Napkin", package: "napkin"), .product(name: "NapkinTesting", package: "napkin"),
      ],
      swiftSettings: settings)
  ],
  swiftLanguageModes: [.v6]
)
