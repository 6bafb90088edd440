// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Napkin and an app built on it name of AppKit: declarations with AppKit's isolation and no behaviour.
@_exported import Foundation

@MainActor open class NSResponder {
  public init() {}
  open func keyDown(with event: NSEvent) {}
}

open class NSEvent: NSObject {
  open var characters: String? { nil }
}

@MainActor open class NSTextField: NSView {
  public convenience init(labelWithString stringValue: String) { self.init() }
  open var stringValue = ""
}

@MainActor open class NSView: NSResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }
    public static let width = AutoresizingMask(rawValue: 2)
    public static let height = AutoresizingMask(rawValue: 16)
  }

  open var frame = NSRect.zero
  open var bounds = NSRect.zero
  open var autoresizingMask: AutoresizingMask = []
  open func addSubview(_ view: NSView) {}
  open func removeFromSuperview() {}
}

@MainActor open class NSViewController: NSResponder {
  public override convenience init() { self.init(nibName: nil, bundle: nil) }
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }

  open var view: NSView = NSView()
  open var title: String?
  open func loadView() {}
  open func viewDidLoad() {}
  open func viewDidAppear() {}
  open func viewDidDisappear() {}
  open func addChild(_ childViewController: NSViewController) {}
  open func removeFromParent() {}
  open func presentAsSheet(_ viewController: NSViewController) {}
  open func dismiss(_ viewController: NSViewController) {}
}

@MainActor open class NSApplication: NSResponder {
  public enum ActivationPolicy: Sendable {
    case regular
  }

  public static let shared = NSApplication()
  open weak var delegate: (any NSApplicationDelegate)?
  @discardableResult open func setActivationPolicy(_ policy: ActivationPolicy) -> Bool { true }
  open func run() {}
}

@MainActor open class NSWindow: NSResponder {
  public struct StyleMask: OptionSet, Sendable {
    public let rawValue: UInt
    public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }
    public static let titled = StyleMask(rawValue: 1)
    public static let closable = StyleMask(rawValue: 2)
    public static let miniaturizable = StyleMask(rawValue: 4)
    public static let resizable = StyleMask(rawValue: 8)
  }

  public enum BackingStoreType: Sendable {
    case buffered
  }

  public init(contentRect: NSRect, styleMask style: StyleMask, backing: BackingStoreType, defer flag: Bool) {
    super.init()
  }
  public convenience init(contentViewController: NSViewController) { self.init() }
  public override init() { super.init() }
  open var contentViewController: NSViewController?
  open func makeKeyAndOrderFront(_ sender: Any?) {}
}

@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
  func applicationDidFinishLaunching(_ notification: Notification)
  func application(_ application: NSApplication, open urls: [URL])
}

// Both are optional there.
extension NSApplicationDelegate {
  public func applicationDidFinishLaunching(_ notification: Notification) {}
  public func application(_ application: NSApplication, open urls: [URL]) {}
}
