// swift-tools-version: 6.2
import PackageDescription

// `check` builds only what it runs, without the benchmark library and all that comes with it, to be done in two minutes.
let isCheck = Context.environment["NAPKIN_BENCHMARKS_CHECK"] != nil

let napkin = Target.Dependency.product(name: "Napkin", package: "napkin")
let napkinTesting = Target.Dependency.product(name: "NapkinTesting", package: "napkin")

let package = Package(
  name: "napkin-benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "napkin", path: "../..")],
  targets: [
    // How one thing is measured against another.
    .target(name: "Sampling"),
    .target(name: "Memory"),

    // The framework, in a process that nothing of the test kit is linked into.
    .target(name: "FrameworkPairs", dependencies: ["Sampling", "Memory", napkin]),
    .executableTarget(name: "framework-tool", dependencies: ["FrameworkPairs"]),

    // The engine; and the pump that it is measured against, a process of its own since each takes the executors over.
    .target(name: "EngineBodies"),
    .target(name: "EnginePairs", dependencies: ["Sampling", "Memory", "EngineBodies", napkinTesting]),
    .executableTarget(name: "engine-tool", dependencies: ["EnginePairs"]),
    // The programs of the tests' yardstick, with all their hops: an optimised build merges some, and bugs with them.
    .executableTarget(name: "yardstick-tool", dependencies: [napkinTesting]),
    // The files that call into NapkinTesting have no place in a process without it.
    .target(name: "PumpRuntime", exclude: ["Attachments.c", "Constructor.c", "Interpose.c"]),
    .target(name: "Pump", dependencies: ["PumpRuntime"]),
    .executableTarget(name: "bare-pump", dependencies: ["Sampling", "EngineBodies", "Pump"]),
    .executableTarget(name: "framework-pump", dependencies: ["FrameworkPairs", "Sampling", "Pump"]),
  ],
  swiftLanguageModes: [.v6]
)

if !isCheck {
  package.dependencies.append(.package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []))
  package.targets += [
    .executableTarget(name: "tables"),
    .target(name: "Registration", dependencies: ["Sampling", .product(name: "Benchmark", package: "benchmark")]),
    .target(name: "RibHouse", dependencies: [napkin, napkinTesting]),
    benchmark("Framework", of: ["FrameworkPairs"]),
    benchmark("Engine", of: ["EnginePairs"]),
    benchmark("Fuzzer", of: ["Memory", "RibHouse", napkin, napkinTesting]),
  ]
}

func benchmark(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies + ["Sampling", "Registration", .product(name: "Benchmark", package: "benchmark")],
    path: "Benchmarks/\(name)",
    plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
  )
}

// One house, one set of rules; the Rib House has its own.
for target in package.targets
where target.type != .plugin && !["Memory", "PumpRuntime", "RibHouse"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if target.name == "yardstick-tool" { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
}
