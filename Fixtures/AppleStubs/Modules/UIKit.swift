// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Napkin and an app built on it name of UIKit: declarations with UIKit's isolation and no behaviour.
@_exported import Foundation

@MainActor open class UIResponder {
  public init() {}
}

@MainActor open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public nonisolated init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  public var backgroundColor: UIColor?
  open var frame = CGRect.zero
  open var bounds = CGRect.zero
  open var autoresizingMask: AutoresizingMask = []
  open func addSubview(_ view: UIView) {}
  open func removeFromSuperview() {}
}

open class UIColor: NSObject, @unchecked Sendable {}

@MainActor open class UIViewController: UIResponder {
  public override convenience init() { self.init(nibName: nil, bundle: nil) }
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }

  open var view: UIView! = UIView()
  open var title: String?
  open var isModalInPresentation = false
  open var children: [UIViewController] { [] }
  open func loadView() {}
  open func viewDidLoad() {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func addChild(_ childController: UIViewController) {}
  open func didMove(toParent parent: UIViewController?) {}
  open func willMove(toParent parent: UIViewController?) {}
  open func removeFromParent() {}

  open func present(
    _ viewControllerToPresent: UIViewController,
    animated flag: Bool,
    completion: (@MainActor () -> Void)? = nil
  ) {}

  open func dismiss(animated flag: Bool, completion: (@MainActor () -> Void)? = nil) {}
}

@MainActor open class UINavigationController: UIViewController {
  public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
  public override init(nibName: String?, bundle: Bundle?) { super.init(nibName: nibName, bundle: bundle) }
  public required init?(coder: NSCoder) { nil }

  open var viewControllers: [UIViewController] = []
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
  @discardableResult open func popViewController(animated: Bool) -> UIViewController? { nil }
}

@MainActor open class UITabBarController: UIViewController {
  open weak var delegate: (any UITabBarControllerDelegate)?
  open var selectedIndex = 0
  open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {}
}

@MainActor public protocol UITabBarControllerDelegate: NSObjectProtocol {
  func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

@MainActor open class UILabel: UIView {
  open var text: String?
  open var numberOfLines = 1
}

@MainActor open class UIAction: NSObject {
  public convenience init(title: String = "", handler: @escaping @MainActor (UIAction) -> Void) { self.init() }
}

@MainActor open class UIButton: UIView {
  public enum ButtonType: Sendable { case system }
  public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) { self.init() }
}

@MainActor open class NSLayoutConstraint: NSObject {
  public enum Axis: Sendable {
    case horizontal
    case vertical
  }
}

@MainActor open class UIStackView: UIView {
  public convenience init(arrangedSubviews views: [UIView]) { self.init() }
  open var arrangedSubviews: [UIView] { [] }
  open var axis = NSLayoutConstraint.Axis.horizontal
  open func addArrangedSubview(_ view: UIView) {}
}

@MainActor open class UIWindow: UIView {
  public override init() {}
  public init(windowScene: UIWindowScene) {}
  open var rootViewController: UIViewController?
  open func makeKeyAndVisible() {}
}

@MainActor open class UIApplication: UIResponder {}

@MainActor public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication,
    configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration
}

extension UIApplicationDelegate {
  public static func main() {}
}

@MainActor open class UISceneConfiguration {
  public init(name: String?, sessionRole: UISceneSession.Role) {}
  open var delegateClass: AnyClass?
}

@MainActor open class UISceneSession {
  public struct Role: Sendable {}
  open var role: Role { Role() }
}

@MainActor open class UIScene: UIResponder {
  @MainActor open class ConnectionOptions {
    open var urlContexts: Set<UIOpenURLContext> { [] }
  }
}

@MainActor open class UIOpenURLContext: NSObject, Hashable {
  open var url: URL { URL(filePath: "") }
  public nonisolated static func == (one: UIOpenURLContext, other: UIOpenURLContext) -> Bool { one === other }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@MainActor open class UIWindowScene: UIScene {}

@MainActor public protocol UISceneDelegate: AnyObject {
  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  )
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

// Optional there.
extension UISceneDelegate {
  public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
}
