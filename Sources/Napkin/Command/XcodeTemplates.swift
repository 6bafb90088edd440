// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// The same templates, in the form in which Xcode reads file templates.
enum XcodeTemplates {
  /// Xcode's own macros, in the places of ours.
  private static let values: [String: String] = [
    "Name": "___VARIABLE_productName:identifier___", "Child": "___VARIABLE_childName:identifier___",
    "Module": "___PROJECTNAMEASIDENTIFIER___",
  ]

  static func write(_ arguments: [String], package: Package) throws {
    guard arguments.count == 2, arguments[0] == "--into" else {
      throw Mistake("xcode-templates takes --into FOLDER, and nothing else; it was \(arguments).")
    }
    let folder = URL(filePath: arguments[1], directoryHint: .isDirectory, relativeTo: package.directoryURL)
    var files: [(url: URL, text: String)] = []
    for template in try templates() {
      let bundle = folder.appending(path: "\(template.title).xctemplate")
      if FileManager.default.fileExists(atPath: bundle.path) { throw Mistake("\(bundle.path) exists already.") }
      files.append((bundle.appending(path: "TemplateInfo.plist"), try info(template)))
      for variant in template.variants {
        let into = variant.folder.map { bundle.appending(path: $0) } ?? bundle
        for file in OutputFile.all(of: variant.request) {
          let text = try Template(file.template)
            .text(flags: variant.request.flags, children: variant.request.children, values: values)
          let suffix = file.suffix.replacing("+Child", with: "+___VARIABLE_childName___")
          files.append((into.appending(path: "___FILEBASENAME___\(suffix)"), text))
        }
      }
    }
    try Scaffold.write(files)
    print("Wrote \(files.count) files of \(try templates().count) templates into \(folder.path)")
  }

  private struct FileTemplate {
    let title: String
    let summary: String
    var options: [[String: Any]] = []
    /// Xcode takes the folder that the values of the options make together.
    let variants: [(folder: String?, request: Request)]
  }

  private static func templates() throws -> [FileTemplate] {
    let views = Request.ViewKind.allCases
    func napkin(_ options: String...) throws -> [(folder: String?, request: Request)] {
      try views.map { ($0.rawValue, try Request(["Name", "--view", $0.rawValue] + options)) }
    }
    return [
      FileTemplate(
        title: "Napkin", summary: "A feature: builder, interactor, router, and its view.", options: [name, view],
        variants: try napkin()),
      FileTemplate(
        title: "Launch Napkin", summary: "The root of an app's tree.", options: [name, view],
        variants: try napkin("--launch")),
      FileTemplate(
        title: "Napkin Tests", summary: "Tests of a napkin, of a builder, by doubles and by a fuzzer.",
        options: [name, view, launch],
        variants: try napkin("--kind", "tests")
          + napkin("--kind", "tests", "--launch").map { ("\($0.folder ?? "")launch", $0.request) }),
      FileTemplate(
        title: "Component Extension", summary: "What a napkin hands to one below it.", options: [name, child],
        variants: [(nil, try Request(["Name", "--kind", "component-extension", "--child", "Child"]))]),
      FileTemplate(
        title: "Service Manager", summary: "Holds a value for all napkins that need it.", options: [name, service],
        variants: [
          ("Default", try Request(["Name", "--kind", "service-manager"])),
          ("service", try Request(["Name", "--kind", "service-manager", "--service"])),
        ]),
      FileTemplate(
        title: "App Entry", summary: "Launches the root of an app's tree.", options: [name],
        variants: [(nil, try Request(["Name", "--kind", "app-entry"]))]),
    ]
  }

  private static var name: [String: Any] { text("productName", "Name:", "The napkin's name, such as Profile") }
  private static var child: [String: Any] { text("childName", "Child:", "The name of the napkin below it") }
  private static var launch: [String: Any] {
    checkbox("launch", "Is a root", "It comes up in a window, and has no listener")
  }
  private static var service: [String: Any] { checkbox("service", "Has a service", "Loads its values from a service") }
  private static var view: [String: Any] {
    [
      "Identifier": "view", "Name": "View:", "Description": "What the napkin shows itself with", "Type": "popup",
      "Default": "swiftui", "Values": Request.ViewKind.allCases.map(\.rawValue), "Required": true, "NotPersisted": true,
    ]
  }

  private static func text(_ identifier: String, _ name: String, _ description: String) -> [String: Any] {
    [
      "Identifier": identifier, "Name": name, "Description": description, "Type": "text", "Required": true,
      "NotPersisted": true,
    ]
  }

  private static func checkbox(_ identifier: String, _ name: String, _ description: String) -> [String: Any] {
    [
      "Identifier": identifier, "Name": name, "Description": description, "Type": "checkbox", "Default": "false",
      "Required": true, "NotPersisted": true,
    ]
  }

  private static func info(_ template: FileTemplate) throws -> String {
    let info: [String: Any] = [
      "Kind": "Xcode.IDEFoundation.TextSubstitutionFileTemplateKind",
      "Summary": template.summary,
      "Description": template.summary,
      "AllowedTypes": ["public.swift-source"],
      "Platforms": ["com.apple.platform.iphoneos", "com.apple.platform.macosx"],
      "SupportsSwiftPackage": true,
      "DefaultCompletionName": template.title.replacing(" ", with: ""),
      "MainTemplateFile": "___FILEBASENAME___.swift",
      "Options": template.options,
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
    return String(decoding: data, as: UTF8.self)
  }
}
