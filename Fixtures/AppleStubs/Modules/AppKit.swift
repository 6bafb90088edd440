// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Napkin and an app built on it name of AppKit: declarations with AppKit's isolation and no behaviour.
@_exported import Foundation

@MainActor open class NSResponder {
  public init() {}
}

@MainActor open class NSView: NSResponder {
  open func addSubview(_ view: NSView) {}
}

@MainActor open class NSViewController: NSResponder {
  public override convenience init() { self.init(nibName: nil, bundle: nil) }
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }

  open var view: NSView = NSView()
  open func loadView() {}
  open func viewDidLoad() {}
  open func addChild(_ childViewController: NSViewController) {}
  open func removeFromParent() {}
  open func presentAsSheet(_ viewController: NSViewController) {}
  open func dismiss(_ viewController: NSViewController) {}
}

@MainActor open class NSWindow: NSResponder {
  public convenience init(contentViewController: NSViewController) { self.init() }
  public override init() { super.init() }
  open var contentViewController: NSViewController?
  open func makeKeyAndOrderFront(_ sender: Any?) {}
}

@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
  func applicationDidFinishLaunching(_ notification: Notification)
}
