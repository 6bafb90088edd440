// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Elsewhere",
  platforms: [.iOS(.v26), .macOS(.v26)],
  products: [.library(name: "Elsewhere", type: .dynamic, targets: ["Elsewhere"])],
  targets: [.target(name: "Elsewhere")],
  swiftLanguageModes: [.v6]
)
