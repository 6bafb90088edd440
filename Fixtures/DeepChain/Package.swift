// swift-tools-version: 6.2
import PackageDescription

// A process without the test kit, in which the runtime's own executors decide how one `deinit` follows from another.
let package = Package(
  name: "deep-chain",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [.executableTarget(name: "DeepChain", dependencies: [.product(name: "Napkin", package: "napkin")])],
  swiftLanguageModes: [.v6]
)
