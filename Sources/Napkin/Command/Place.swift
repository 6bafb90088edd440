// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Finds folders and targets of the user's package.
struct Place {
  let package: Package

  private var targets: [SwiftSourceModuleTarget] { package.targets.compactMap { $0 as? SwiftSourceModuleTarget } }

  /// The folder that `--into` names, or that of the only target.
  func folder(_ path: String?) throws -> URL {
    if let path { return try existingFolder(path, of: "--into") }
    let targets = targets.filter { $0.kind != .test }
    if targets.isEmpty, let folder = onlyFolderOfSources { return folder }
    guard let target = targets.first, targets.count == 1 else {
      throw Mistake("--into FOLDER is missing: \(package.displayName) has \(list(targets)).")
    }
    return target.directoryURL
  }

  /// The folder of the only target that has no source yet, which the package manager does not list.
  private var onlyFolderOfSources: URL? {
    let sources = package.directoryURL.appending(path: "Sources")
    let keys: [URLResourceKey] = [.isDirectoryKey]
    let folders = try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: keys).filter {
      (try? $0.resourceValues(forKeys: Set(keys)).isDirectory) == true
    }
    return folders?.count == 1 ? folders?.first : nil
  }

  /// The folder that `--tests-into` names, or that of the only test target that depends on a folder's target.
  func testsFolder(_ path: String?, for folder: URL, option: String = "--tests-into") throws -> URL {
    guard let target = target(of: folder), target.kind != .test else {
      throw Mistake(
        "--into \(relative(folder)): tests import a module, and this folder is in no target of \(package.displayName), "
          + "which has \(list(targets.filter { $0.kind != .test })).")
    }
    if let path { return try existingFolder(path, of: option) }
    let tests = targets.filter { test in
      test.kind == .test
        && test.dependencies.contains { if case .target(let found) = $0 { found.name == target.name } else { false } }
    }
    guard let test = tests.first, tests.count == 1 else {
      throw Mistake(
        "\(option) FOLDER is missing: there is no single test target that depends on \(target.name), but "
          + "\(list(tests)).")
    }
    return test.directoryURL
  }

  /// The target of a name, or the only one that is no test.
  func sourceTarget(_ name: String?) throws -> SwiftSourceModuleTarget {
    let targets = targets.filter { $0.kind != .test }
    if let name {
      guard let target = targets.first(where: { $0.name == name }) else {
        throw Mistake("--target \(name): there is no such target. \(package.displayName) has \(list(targets)).")
      }
      return target
    }
    guard let target = targets.first, targets.count == 1 else {
      throw Mistake("--target TARGET is missing: \(package.displayName) has \(list(targets)).")
    }
    return target
  }

  /// The target whose folder a file or a folder is in.
  func target(of url: URL) -> SwiftSourceModuleTarget? {
    targets.first { contains($0.directoryURL, url) }
  }

  /// As the user would write it.
  func relative(_ url: URL) -> String {
    let (root, path) = (resolved(package.directoryURL), resolved(url))
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  func existingFolder(_ path: String, of option: String) throws -> URL {
    let folder = URL(filePath: path, directoryHint: .isDirectory, relativeTo: package.directoryURL).absoluteURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      throw Mistake("\(option) \(path): there is no such folder.")
    }
    guard isFolder.boolValue else { throw Mistake("\(option) \(path): this is a file, not a folder.") }
    guard contains(package.directoryURL, folder) else {
      throw Mistake("\(option) \(path): this is outside of the package, \(package.directoryURL.path).")
    }
    return folder
  }

  private func contains(_ folder: URL, _ url: URL) -> Bool {
    let (folder, path) = (resolved(folder), resolved(url))
    return path == folder || path.hasPrefix(folder + "/")
  }

  private func resolved(_ url: URL) -> String {
    let path = url.standardizedFileURL.resolvingSymlinksInPath().path
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private func list(_ targets: [SwiftSourceModuleTarget]) -> String {
    switch targets.count {
    case 0: "none"
    case 1: "the target \(targets[0].name)"
    default: "the targets " + targets.map(\.name).joined(separator: ", ")
    }
  }
}
