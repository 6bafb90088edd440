// SPDX-License-Identifier: Apache-2.0

/// The node that a feature subclasses: it attaches and detaches children, on the main actor.
///
///     final class HomeRouter: Router<HomeInteractor>, HomeRouting {
///       override func didLoad() async { await attachChild(await feedBuilder.build()) }
///     }
@MainActor
open class Router<InteractorType>: Routing {
  /// The interactor, by the type under which the feature knows it.
  public let interactor: InteractorType

  /// The same interactor, as the framework knows it.
  public let interactable: any Interactable

  /// The attached children, in the order in which they were attached.
  public final private(set) var children: [any Routing] = []

  private var isLoaded = false

  /// Takes an interactor, which must be an `Interactable`, whatever type it goes by here.
  public init(interactor: InteractorType) {
    guard let interactable = interactor as? any Interactable else {
      fatalError("\(InteractorType.self) is not Interactable: a router needs an actor that conforms to it")
    }
    self.interactor = interactor
    self.interactable = interactable
  }

  isolated deinit {}

  public final func load() async {
    guard !isLoaded else { return }
    isLoaded = true
    await didLoad()
  }

  public final func loaded() async {}

  /// Called once in the router's life, after the first activation: attach the permanent children here.
  open func didLoad() async {}

  @_disfavoredOverload
  public final func attachChild(_ child: any Routing) async {
    await attach(child, callSite: nil)
  }

  @_disfavoredOverload
  public final func detachChild(_ child: any Routing) async {
    await detach(child, callSite: nil)
  }

  /// Adds a child, activates its interactor and loads it; the location is where a misuse is reported.
  public final func attachChild(
    _ child: any Routing,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    await attach(child, callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Deactivates a child's whole subtree and removes it; the location is where a misuse is reported.
  public final func detachChild(
    _ child: any Routing,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    await detach(child, callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func attach(_ child: any Routing, callSite: CallSite?) async {
    children.append(child)
    await child.interactable.activate()
    await child.load()
  }

  private func detach(_ child: any Routing, callSite: CallSite?) async {
    guard let index = children.firstIndex(where: { $0 === child }) else { return }
    children.remove(at: index)
    await child.interactable.deactivate()
  }
}
