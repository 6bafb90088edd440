// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin

// Protocols with everything that a double has to have an answer to.

struct Customer: Equatable, Sendable { var name: String }
enum Refusal: Error, Equatable { case isFull }
final class Clipboard { var text = "" }

protocol Shop: Sendable {
  func logIn() async throws -> Customer
  func logIn(name: String, password: String) async throws(Refusal) -> [Customer]
  func refuse(_ number: Int) throws(Refusal)
  func search(_ text: String, page: Int) async throws -> [Customer]
  func customer(at index: Int) async -> Customer
  func orders() -> AsyncStream<Int>
  func isOpen() -> Bool
  func close() async
  func close(after delay: Duration, in `where`: String)
  func `default`(_ url: URL) throws -> URL?
  func notify(_ numbers: Int..., then body: @escaping @Sendable (Int) async -> Void) async
  func paste(_ clipboard: Clipboard, _ body: () -> Void)
  func count(_ number: inout Int)
  var rating: Double { get }
  var title: String { get set }
  var remote: Int { get async throws }
  subscript(index: Int) -> String { get set }
  @MainActor func show(_ customer: Customer)
  @discardableResult func greet(_ customer: Customer?) async -> Bool
  static func make(_ number: Int) -> Int
  static var shared: Bool { get }
}

protocol Decoding: Sendable {
  func decode<T: Decodable & Sendable>(_ type: T.Type, from text: String) throws -> T
  func convert<T>(_ value: T, with other: some Sendable) async -> T where T: Sendable
}

protocol Shelf<Item>: AnyObject, Sendable {
  associatedtype Item: Equatable, Sendable
  associatedtype Label: Sendable
  init(name: String)
  func put(_ item: Item, _ label: Label)
  func take() async throws -> Item?
  var items: [Item] { get }
}

extension Shelf {
  /// No requirement: a double has it already, with its default argument.
  func put(_ items: [Item], as label: Label, twice: Bool = false) {
    for item in items { put(item, label) }
  }
}

protocol Ledger: Actor {
  func note(_ amount: Int)
  func total() async throws -> Int
  var pages: Int { get }
  nonisolated func name() -> String
}

@MainActor protocol Panel: AnyObject, Sendable {
  var listener: (any PanelListener)? { get set }
  var height: Double { get }
  var customer: Customer { get set }
  func show(_ customer: Customer?)
  nonisolated var id: Int { get }
}

protocol WidePanel: Panel { func widen(by points: Double) async }

protocol PanelListener: AnyObject, Sendable {
  func panelDidClose() async
  func panel(didMoveTo x: Int, y: Int) async
}

protocol NightRouting: Routing { func routeToNight(_ hour: Int) async }
protocol NightDependency: Dependency {
  var customer: Customer { get }
  var shop: any Shop { get }
}
protocol NightBuildable: Buildable {
  @MainActor func build(withListener listener: any PanelListener, hour: Int) async -> any NightRouting
}
@MainActor protocol NightViewControllable: ViewControllable {
  func dim(to level: Double)
  func undim() async -> Bool
}
protocol NightPresentable: Presentable, Sendable {
  var listener: (any PanelListener)? { get set }
  func present(_ hour: Int) async
}

protocol Compared: Equatable, Sendable {}
