// swift-tools-version: 6.2
import PackageDescription

// An app that depends on napkin as users' apps do, by a URL. A build system silences the warnings of such a dependency, and
// not those of a package that is at hand. `.ci/consumer` makes the repository and says where it is. The package whose identity
// is `napkin` is another one, with a module of that name, as an app has that moves from napkin 2.x in steps.
guard let url = Context.environment["NAPKIN_URL"], let earlier = Context.environment["EARLIER_NAPKIN_URL"] else {
  fatalError("Fixtures/Consumer needs NAPKIN_URL and EARLIER_NAPKIN_URL, URLs of repositories; .ci/consumer sets them.")
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
    .target(name: "App", dependencies: [.product(name: "Napkin", package: "napkin-testing")], swiftSettings: settings),
    .testTarget(
      name: "AppTests", dependencies: ["App", .product(name: "NapkinTesting", package: "napkin-testing")],
      swiftSettings: settings),
  ]
)

// Beside it on Linux only, as a Mac's file system takes the two modules for one.
#if os(Linux)
package.dependencies.append(.package(url: earlier, branch: "consumer"))
for target in package.targets where target.type == .test {
  target.dependencies.append(.product(name: "napkin", package: "napkin"))
}
#endif
