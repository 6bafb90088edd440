// swift-tools-version: 6.3
import PackageDescription

// On Linux, takes the ways into the runtime that Apple's platforms have, to test them there.
let likeApple = Context.environment["NAPKIN_LIKE_APPLE"] != nil
// Links what splits steps, which takes the place of functions of locks, threads, queues and memory in the whole test process.
let splits = !["", "0", nil].contains(Context.environment["NAPKIN_SPLIT"])
let cSettings: [CSetting] =
  (likeApple ? [.define("NAPKIN_LIKE_APPLE")] : []) + (splits ? [.define("NAPKIN_SPLIT")] : [])

// Each process of the compiler expands the macros of a whole test target, in three seconds: so one for each core, not for 25 files.
let inFewProcesses: [SwiftSetting] = [.unsafeFlags(["-driver-batch-size-limit", "1000"], .when(platforms: [.linux]))]

// From the C functions of the engine to those that split steps.
let splitting = "../../../Splitting/CRuntime"

let package = Package(
  name: "napkin",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [
    .library(name: "Napkin", targets: ["Napkin"]),
    .library(name: "NapkinTesting", targets: ["NapkinTesting"]),
    .plugin(name: "NapkinCommand", targets: ["NapkinCommand"]),
  ],
  targets: [
    .target(name: "Napkin", exclude: ["Command"]),
    .target(
      name: "NapkinTesting",
      dependencies: ["Napkin", "NapkinTestingEngine", "NapkinTestingCRuntime"]
        + (splits ? ["NapkinTestingSplitting"] : []),
      exclude: ["Engine", "Splitting"],
      // The page of a failure, compiled in: a report needs no bundle beside the program.
      resources: ["html", "css", "js"].map { .embedInCode("Reporting/Page/page.\($0)") }
    ),
    // The exploration of any async code, without the module `Napkin`. `NapkinTesting` exports it again.
    .target(
      name: "NapkinTestingEngine",
      dependencies: ["NapkinTestingCRuntime"],
      path: "Sources/NapkinTesting/Engine",
      exclude: ["Simulation/CRuntime", "Simulation/README.md"]
    ),
    // The one thing that cannot be written in Swift: it takes the place of a function of the runtime.
    .target(
      name: "NapkinTestingCRuntime",
      path: "Sources/NapkinTesting/Engine/Simulation/CRuntime",
      cSettings: cSettings
        + (splits ? [".", splitting, "\(splitting)/include"] : []).map { .headerSearchPath($0) }
    ),
    // swift package napkin: writes new napkins from templates.
    .plugin(
      name: "NapkinCommand",
      capability: .command(
        intent: .custom(verb: "napkin", description: "Write a napkin, its tests, or what an app has around it"),
        permissions: [.writeToPackageDirectory(reason: "It writes the sources that you ask for.")]
      ),
      path: "Sources/Napkin/Command",
      exclude: ["Templates", "install-xcode-templates"]
    ),
    .testTarget(name: "NapkinTests", dependencies: ["Napkin", "NapkinTesting"], swiftSettings: inFewProcesses),
    .testTarget(name: "NapkinTestingTests", dependencies: ["Napkin", "NapkinTesting"], swiftSettings: inFewProcesses),
  ],
  swiftLanguageModes: [.v6]
)

// What splits steps within them, at accesses to memory and locks: no line of it is compiled where it is not asked for.
if splits {
  package.targets += [
    .target(
      name: "NapkinTestingSplitting",
      dependencies: ["NapkinTestingEngine", "NapkinTestingCRuntime", "NapkinTestingCSplitting"],
      path: "Sources/NapkinTesting/Splitting",
      exclude: ["CRuntime"]
    ),
    .target(
      name: "NapkinTestingCSplitting",
      dependencies: ["NapkinTestingCRuntime"],
      path: "Sources/NapkinTesting/Splitting/CRuntime",
      cSettings: cSettings + [.headerSearchPath("."), .headerSearchPath("../../Engine/Simulation/CRuntime")]
    ),
  ]
}

// One house, one set of rules: every Swift target compiles under the same settings.
let inC = ["NapkinTestingCRuntime", "NapkinTestingCSplitting"]
for target in package.targets where target.type != .plugin && !inC.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
  // `.ci/run` lets no warning pass. In a dependency Xcode suppresses all warnings, and the compiler refuses to do both.
  if likeApple { target.swiftSettings?.append(.define("NAPKIN_LIKE_APPLE")) }
  if splits { target.swiftSettings?.append(.define("NAPKIN_SPLIT")) }
  if Context.environment["NAPKIN_STRICT"] != nil { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
