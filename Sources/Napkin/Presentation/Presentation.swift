// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// What a router knows of its view: where UIKit or AppKit has view controllers one of those, elsewhere any class.
///
///     @MainActor protocol HomeViewControllable: ViewControllable { func show(_ name: String) }
///     final class HomeViewController: UIViewController, HomeViewControllable { … }
@MainActor
public protocol ViewControllable: AnyObject {
  #if canImport(UIKit) && !os(watchOS)
  /// The platform's view controller, which a `UIViewController` is itself.
  var uiviewController: UIViewController { get }
  #elseif canImport(AppKit)
  /// The platform's view controller, which an `NSViewController` is itself.
  var nsviewController: NSViewController { get }
  #endif
}

/// Where a tree of napkins comes up: UIKit's and AppKit's windows, or what stands in for one.
///
///     final class Terminal: LaunchWindow {
///       func show(root: any ViewControllable) { screen = root as? any Screen }
///     }
@MainActor
public protocol LaunchWindow: AnyObject {
  /// Makes a view controller the root of what the window shows, and brings the window up.
  func show(root: any ViewControllable)
}

#if canImport(UIKit) && !os(watchOS)
extension ViewControllable where Self: UIViewController {
  /// A `UIViewController` is its own.
  public var uiviewController: UIViewController { self }
}

extension UIWindow: LaunchWindow {
  /// Makes it the window's root view controller, and the window key and visible.
  public func show(root: any ViewControllable) {
    rootViewController = root.uiviewController
    makeKeyAndVisible()
  }
}
#elseif canImport(AppKit)
extension ViewControllable where Self: NSViewController {
  /// An `NSViewController` is its own.
  public var nsviewController: NSViewController { self }
}

extension NSWindow: LaunchWindow {
  /// Makes it the window's content view controller, and brings the window to the front.
  public func show(root: any ViewControllable) {
    contentViewController = root.nsviewController
    makeKeyAndOrderFront(nil)
  }
}
#endif
