// swift-tools-version: 6.3
import PackageDescription

// What `.ci/other-image` and `.ci/like-apple` run: constructors of the tests' image that start tasks. Some run before those of
// NapkinTesting, and some between them, as the linker orders them.
let package = Package(
  name: "Constructors",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .testTarget(name: "ConstructorTests", dependencies: [.product(name: "NapkinTesting", package: "napkin")])
  ],
  swiftLanguageModes: [.v6]
)
