// swift-tools-version: 6.2
import PackageDescription

// What `.ci/other-image` runs: code under test in a shared library. On Apple's platforms such a library calls the runtime
// itself. Here it does where the tests' image hides its functions, which is what OTHER_IMAGE asks for.
let hides = Context.environment["OTHER_IMAGE"] != nil

let package = Package(
  name: "OtherImage",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../.."), .package(path: "Elsewhere")],
  targets: [
    .testTarget(
      name: "OtherImageTests",
      dependencies: [
        .product(name: "NapkinTesting", package: "napkin"), .product(name: "Elsewhere", package: "Elsewhere"),
      ],
      linkerSettings: hides
        ? [.unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/hidden.map"])] : [])
  ],
  swiftLanguageModes: [.v6]
)
