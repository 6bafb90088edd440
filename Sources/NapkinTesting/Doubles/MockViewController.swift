// SPDX-License-Identifier: Apache-2.0
public import Napkin
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

#if canImport(UIKit)
/// A view controller without a view of its own; the mock of a feature adds the methods of its protocol.
///
///     final class HomeViewControllerMock: MockViewController, HomeViewControllable { … }
@MainActor
open class MockViewController: UIViewController, ViewControllable {
  private let lifetime = Lifetime(of: "MockViewController")

  /// Loads no nib.
  public init() {
    super.init(nibName: nil, bundle: nil)
  }

  /// Serves storyboards, and decodes nothing of its own.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
}
#elseif canImport(AppKit)
/// A view controller with an empty view; the mock of a feature adds the methods of its protocol.
///
///     final class HomeViewControllerMock: MockViewController, HomeViewControllable { … }
@MainActor
open class MockViewController: NSViewController, ViewControllable {
  private let lifetime = Lifetime(of: "MockViewController")

  /// Loads no nib.
  public init() {
    super.init(nibName: nil, bundle: nil)
  }

  /// Serves storyboards, and decodes nothing of its own.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  /// Makes the empty view: without one, AppKit would look for a nib.
  open override func loadView() {
    view = NSView()
  }
}
#else
/// A view controller where there are none; the mock of a feature adds the methods of its protocol.
///
///     final class HomeViewControllerMock: MockViewController, HomeViewControllable { … }
@MainActor
open class MockViewController: ViewControllable {
  private let lifetime = Lifetime(of: "MockViewController")

  /// Shows nothing.
  public init() {}
}
#endif
