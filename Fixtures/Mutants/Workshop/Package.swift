// swift-tools-version: 6.3
import PackageDescription

// The package that a copy of the sources is built with, mutant after mutant in one build folder: no more of it than the
// fuzzer and the contract tests need, and warnings are none of its business.
let package = Package(
  name: "mutants",
  platforms: [.iOS(.v26), .macOS(.v26)],
  targets: [
    .target(name: "Napkin", exclude: ["Command"]),
    .target(
      name: "NapkinTesting",
      dependencies: ["Napkin", "NapkinTestingEngine", "NapkinTestingCRuntime"],
      exclude: ["Engine", "Splitting"],
      resources: ["html", "css", "js"].map { .embedInCode("Reporting/Page/page.\($0)") }
    ),
    .target(
      name: "NapkinTestingEngine",
      dependencies: ["NapkinTestingCRuntime"],
      path: "Sources/NapkinTesting/Engine",
      exclude: ["Simulation/CRuntime"]
    ),
    .target(
      name: "NapkinTestingCRuntime",
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime"
    ),
    .executableTarget(name: "synthetic-fuzz", dependencies: ["NapkinTesting"]),
    .testTarget(name: "NapkinTests", dependencies: ["Napkin", "NapkinTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "NapkinTestingCRuntime" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
