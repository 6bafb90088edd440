// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Writes the requested files into the package: all of them, or none.
struct Scaffold {
  private let request: Request
  private let context: PluginContext
  private let place: Place
  private let folder: URL
  private let target: SwiftSourceModuleTarget?
  private let testsFolder: URL?

  init(request: Request, _ context: PluginContext) throws {
    (self.request, self.context) = (request, context)
    place = Place(package: context.package)
    folder = try place.folder(request.into)
    target = place.target(of: folder)
    testsFolder = request.writesTests ? try place.testsFolder(request.testsInto, for: folder) : nil
  }

  func write() throws {
    try checkTarget()
    var files: [(url: URL, text: String)] = []
    for file in OutputFile.all(of: request) {
      guard let folder = file.isTest ? testsFolder : self.folder else { continue }
      let into = request.kind == .napkin && !file.isTest ? folder.appending(path: request.name) : folder
      let values = ["Name": request.name, "Child": file.child ?? "", "Module": target?.moduleName ?? ""]
      let text = try Template(file.template).text(flags: request.flags, children: request.children, values: values)
      files.append((into.appending(path: request.name + file.suffix), text))
    }
    for file in files { try checkIsNew(file.url) }
    try TakenNames(context: context, place: place).refuse(files, for: request.name)
    try Self.write(files)
    for file in files { print("Wrote \(place.relative(file.url))") }
    remind()
  }

  /// Throws if the target lacks the builder to be tested, or is no executable for `@main`.
  private func checkTarget() throws {
    guard let target else { return }
    switch request.kind {
    case .tests:
      let builder = "\(request.name)Builder"
      guard TakenNames.declaring([builder], in: target.sourceFiles.map(\.url)) == nil else { return }
      throw Mistake("--kind tests: \(target.name) has no \(builder), so there is no napkin \(request.name) to test.")
    case .appEntry where target.kind != .executable:
      throw Mistake("--kind app-entry: @main belongs into an executable target, which \(target.name) is not.")
    default: break
    }
  }

  /// Neither in this place nor, since the compiler takes no two files of one name, in another one of the target.
  private func checkIsNew(_ file: URL) throws {
    let sources = place.target(of: file)?.sourceFiles.map(\.url) ?? []
    for existing in [file] + sources where existing.lastPathComponent == file.lastPathComponent {
      guard FileManager.default.fileExists(atPath: existing.path) else { continue }
      throw Mistake("\(place.relative(existing)) exists already. Nothing was written.")
    }
  }

  /// Writes the files, and removes them again if one of them cannot be written.
  static func write(_ files: [(url: URL, text: String)]) throws {
    var made: [URL] = []
    do {
      for (url, text) in files {
        made += try makeFolder(url.deletingLastPathComponent())
        try Data(text.utf8).write(to: url, options: .withoutOverwriting)
        made.append(url)
      }
    } catch {
      for url in made.reversed() { try? FileManager.default.removeItem(at: url) }
      throw Mistake("Nothing was written: \(error.localizedDescription)")
    }
  }

  /// Makes a folder and those that it is in, and returns the ones that were not there.
  private static func makeFolder(_ folder: URL) throws -> [URL] {
    if FileManager.default.fileExists(atPath: folder.path) { return [] }
    let above = try makeFolder(folder.deletingLastPathComponent())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return above + [folder]
  }

  /// Warns of each dependency that the manifest still lacks.
  private func remind() {
    let tests = testsFolder.flatMap { place.target(of: $0) }
    for (target, product) in [(target, "Napkin"), (tests, "NapkinTesting")] {
      guard let target, request.kind != .tests || product != "Napkin" else { continue }
      let isThere = target.dependencies.contains { dependency in
        switch dependency {
        case .product(let found): found.name == product
        case .target(let found): found.name == product
        @unknown default: false
        }
      }
      if !isThere {
        Diagnostics.warning(
          "\(target.name) does not depend on \(product) yet: in Package.swift, add "
            + ".product(name: \"\(product)\", package: \"napkin\") to its dependencies.")
      }
    }
  }
}

/// A file that a request makes: its template, and the end of its name, behind the napkin's.
struct OutputFile {
  let template: String
  let suffix: String
  var isTest = false
  /// The one that it is about, where each child has a file.
  var child: String?

  static func all(of request: Request) -> [OutputFile] {
    var files: [OutputFile] = []
    switch request.kind {
    case .napkin:
      files = ["Builder", "Interactor", "Router"].map { OutputFile(template: $0, suffix: "\($0).swift") }
      switch request.view {
      case .swiftui:
        files.append(OutputFile(template: "HostingController", suffix: "ViewController.swift"))
        files.append(OutputFile(template: "View", suffix: "View.swift"))
      case .controller:
        files.append(OutputFile(template: "ViewController", suffix: "ViewController.swift"))
      case .none:
        if request.isLaunch {
          files.append(OutputFile(template: "ContainerViewController", suffix: "ViewController.swift"))
        }
      }
    case .componentExtension:
      files = request.children.map {
        OutputFile(template: "ComponentExtension", suffix: "Component+\($0).swift", child: $0)
      }
    case .serviceManager:
      files = [OutputFile(template: "Manager", suffix: "Manager.swift")]
    case .appEntry:
      files = [
        OutputFile(template: "AppComponent", suffix: "AppComponent.swift"),
        OutputFile(template: "App", suffix: "App.swift"),
      ]
    case .tests:
      break
    }
    if request.writesTests {
      files.append(
        request.kind == .serviceManager
          ? OutputFile(template: "ManagerTests", suffix: "ManagerTests.swift", isTest: true)
          : OutputFile(template: "Tests", suffix: "Tests.swift", isTest: true))
    }
    return files
  }
}
