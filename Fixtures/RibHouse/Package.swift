// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RibHouse",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [
    .library(name: "RibHouse", targets: ["RibHouse"]),
    .library(name: "RibHouseShells", targets: ["Shells"]),
    .executable(name: "rib-house", targets: ["Terminal"]),
  ],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .target(name: "RibHouse", dependencies: [.product(name: "Napkin", package: "napkin")]),
    // The same house in UIKit, AppKit and SwiftUI; empty on Linux, where `.ci/apple-typecheck` checks it.
    .target(name: "Shells", dependencies: ["RibHouse", .product(name: "Napkin", package: "napkin")]),
    .executableTarget(
      name: "Terminal",
      dependencies: ["RibHouse", .product(name: "Napkin", package: "napkin")]
    ),
    .testTarget(
      name: "RibHouseTests",
      dependencies: [
        "RibHouse",
        .product(name: "Napkin", package: "napkin"),
        .product(name: "NapkinTesting", package: "napkin"),
      ]
    ),
    // What the READMEs of older versions test, tested with the kit; `.ci/isolation-modes` compiles it in four ways.
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        .product(name: "Napkin", package: "napkin"),
        .product(name: "NapkinTesting", package: "napkin"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
