// swift-tools-version: 6.2
import PackageDescription

let napkin = Target.Dependency.product(name: "Napkin", package: "napkin")
let napkinTesting = Target.Dependency.product(name: "NapkinTesting", package: "napkin")

let package = Package(
  name: "PlantedBugs",
  platforms: [.iOS(.v26), .macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    .target(name: "PlantedBugs", dependencies: [napkin, napkinTesting]),
    .executableTarget(name: "planted-bugs", dependencies: ["PlantedBugs"], path: "Sources/Table"),
    .testTarget(name: "PlantedBugsTests", dependencies: ["PlantedBugs", napkinTesting]),
  ],
  swiftLanguageModes: [.v6]
)
