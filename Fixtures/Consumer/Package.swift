// swift-tools-version: 6.2
import PackageDescription

// An app that depends on napkin as users' apps do, by a URL. A build system silences the warnings of such a dependency, and
// not those of a package that is at hand. `.ci/consumer` makes the repository and says where it is.
guard let url = Context.environment["NAPKIN_URL"] else {
  fatalError("Fixtures/Consumer needs NAPKIN_URL, the URL of a repository of napkin; .ci/consumer sets it.")
}

// The flags that split steps as a setting of a root package's own targets, in place of the command line.
let splits = Context.environment["SPLIT_IN_MANIFEST"] != nil
let settings: [SwiftSetting] = splits ? [.unsafeFlags(["-Xfrontend", "-sanitize=thread"])] : []

let package = Package(
  name: "Consumer",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [.library(name: "App", targets: ["App"])],
  dependencies: [.package(url: url, branch: "consumer")],
  targets: [
    .target(name: "App", dependencies: [.product(name: "Napkin", package: "napkin")], swiftSettings: settings),
    .testTarget(
      name: "AppTests", dependencies: ["App", .product(name: "NapkinTesting", package: "napkin")],
      swiftSettings: settings),
  ]
)
