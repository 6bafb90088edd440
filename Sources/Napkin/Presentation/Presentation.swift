// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// A view controller as a router sees it: that of UIKit or AppKit where there is one, elsewhere any class.
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

/// A window that shows the root of a tree: that of UIKit or AppKit, or a class of your own.
///
///     final class Terminal: LaunchWindow {
///       func show(root: any ViewControllable) { screen = root as? any Screen }
///     }
@MainActor
public protocol LaunchWindow: AnyObject {
  /// Makes a view controller the root of the window, and brings the window up.
  func show(root: any ViewControllable)
}

#if canImport(UIKit) && !os(watchOS)
extension ViewControllable where Self: UIViewController {
  /// The view controller itself.
  public var uiviewController: UIViewController { self }
}

extension UIWindow: LaunchWindow {
  /// Makes a view controller the window's root view controller, and the window key and visible.
  public func show(root: any ViewControllable) {
    rootViewController = root.uiviewController
    makeKeyAndVisible()
  }
}
#elseif canImport(AppKit)
extension ViewControllable where Self: NSViewController {
  /// The view controller itself.
  public var nsviewController: NSViewController { self }
}

extension NSWindow: LaunchWindow {
  /// Makes a view controller the window's content view controller, and brings the window to the front.
  public func show(root: any ViewControllable) {
    contentViewController = root.nsviewController
    makeKeyAndOrderFront(nil)
  }
}
#endif
