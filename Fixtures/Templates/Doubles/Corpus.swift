// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import Synchronization

// One awkward protocol after the other. A double is written of each, compiled and used under both default isolations, but
// for those behind "refused:", which are refused at the line below with that reason.

struct Meal: Equatable, Sendable { var name: String }
enum Sold: Error, Equatable { case out }
final class Sheet { var text = "" }
class Furniture { func move() {} }
struct Key: ~Copyable { var code = 0 }
@globalActor actor Cellar { static let shared = Cellar() }
@resultBuilder enum Lines {
  static func buildBlock(_ lines: String...) -> [String] { lines }
}
struct Event: Equatable, Sendable { var name: String }
typealias Happening = Event
struct Call: Equatable, Sendable { var number: Int }
enum Kitchen {
  struct Order: Equatable, Sendable { var table: Int }
  protocol Nested: Sendable { func cook(_ order: Order) async -> Order? }
}

// MARK: generics
protocol WhereGeneric: Sendable {
  func sum<S: Sequence>(_ numbers: S) -> Int where S.Element == Int
  func join<A, B>(_ one: A, _ other: B) -> Bool where A: Sendable, B: Sendable, A: Equatable
}
protocol GenericClosure: Sendable {
  func map<T>(_ body: (Int) -> T) -> T
  func every<T, E: Error>(_ body: (Int) throws(E) -> T) throws(E) -> [T]
  func later<T: Sendable>(_ body: @escaping @Sendable (T) async -> Void) async -> T?
}
protocol SomeParameters: Sendable {
  func print(_ value: some CustomStringConvertible & Sendable)
  func read(_ values: some Sequence<Int>) -> [Int]
}
protocol Packs: Sendable {
  func all<each T: Sendable>(_ values: repeat each T) async
}
protocol Integers: Sendable {
  func first<let count: Int>(of numbers: InlineArray<count, Int>) -> Int
}
protocol Metatypes: Sendable {
  func load<T: Decodable & Sendable>(_ type: T.Type) throws -> T
  func register(_ type: any Sendable.Type)
  func kind() -> any Sendable.Type
}

// MARK: initializers
protocol Failable: Sendable { init?(name: String) }
protocol ThrowingInit: Sendable {
  init(from text: String) throws
  func text() async -> String
}
protocol AsyncInit: Sendable { init(after delay: Duration) async throws(Sold) }
protocol EmptyInit: Sendable {
  init()
  func clear()
}
// refused: a result of the type Meal, which only a test can give
protocol InitWithDefault: Sendable {
  init(name: String)
  func meal() -> Meal
}

// MARK: isolation
protocol IsolatedParameter: Sendable {
  func run(on actor: isolated (any Actor)?) async -> Int
  func run(in cellar: isolated Cellar)
}
@MainActor protocol OnMain {
  func show(_ meal: Meal)
  nonisolated func hash() -> Int
  nonisolated var id: Int { get }
  var meal: Meal { get }
}
@Cellar protocol InCellar: Sendable {
  func store(_ meal: Meal)
  func take() -> Meal?
  var count: Int { get set }
}
nonisolated protocol Free {
  func go()
  @MainActor func goOnMain()
  @Cellar func goInCellar() -> Int
}
nonisolated protocol FreeAndSendable: Sendable { func go(_ meal: Meal) -> Int }
protocol ByDefault {
  func go(_ number: Int)
  func stop() -> Int
}
protocol OnlyActors: Actor {
  func note(_ meal: Meal)
  func total() -> Int
  nonisolated func name() -> String
  var last: Meal? { get }
}
protocol Nonsending: Sendable {
  nonisolated(nonsending) func wait() async -> Int
  @concurrent func work() async -> Int
}
protocol SendingBox: Sendable {
  func put(_ sheet: sending Sheet)
}

// MARK: Self
protocol Copying: Sendable { func copy() -> Self }
protocol Making: Sendable { static func make() -> Self }
protocol Chained: Sendable {
  func with(name: String) -> Self
  func with(count: Int) async throws -> Self
  func maybe() -> Self?
}
protocol Versus: Sendable { func beats(_ other: Self) -> Bool }
protocol Peers: AnyObject, Sendable { var peers: [Self] { get } }

protocol MakingForTables: AnyObject, Sendable {
  static func make() -> Self
  static func make(for table: Int) async throws(Sold) -> Self
  static func find(_ name: String) -> Self?
}
@MainActor protocol MakingOnMain: AnyObject {
  static func make() -> Self
  static var shared: Self { get }
}

// MARK: results
protocol Streaming: Sendable {
  func numbers() -> any AsyncSequence<Int, Never>
  func meals() -> any AsyncSequence<Meal, any Error> & Sendable
  func stream() -> AsyncThrowingStream<Int, any Error>
}
protocol Existential: Sendable {
  func any() -> Any
  func listener() -> any CustomStringConvertible
  func both() -> (any Sendable & CustomStringConvertible)?
}
protocol Tupled: Sendable {
  func pair() -> (name: String, count: Int)
  func take(_ pair: (Int, String), _ triple: (a: Int, b: Int, c: Bool))
  var size: (width: Double, height: Double) { get async }
}
protocol Closures: Sendable {
  func handler() -> @Sendable (Int) async -> Void
  func on(_ event: String, do body: @escaping @Sendable () -> Void)
  func maybe(_ body: (@Sendable (Int) throws -> String)?)
  func main(_ body: @MainActor @escaping () -> Void)
  func lazily(_ message: @autoclosure () -> String)
  func `default`(_ message: @autoclosure @escaping @Sendable () -> String)
}
protocol Collected: Sendable {
  func groups() -> [String: [Meal]]
  func set() -> Set<Int>
  func nested() async throws -> [[Int?]]?
  func range() -> ClosedRange<Int>
  func result() -> Result<Meal, Sold>
}
protocol Unwrapped: Sendable {
  func name() -> String!
  var meal: Meal! { get }
}

// MARK: throwing
protocol NeverThrows: Sendable {
  func calm() throws(Never)
  func calmly() async throws(Never) -> Int
}
protocol Rethrowing: Sendable {
  func each(_ body: (Int) throws -> Void) rethrows
  func map(_ body: (Int) throws -> Int) rethrows -> Int
}
protocol TypedThrowing: Sendable {
  func buy(_ meal: Meal) throws(Sold)
  func price(of meal: Meal) async throws(Sold) -> Int
  var stock: Int { get throws(Sold) }
}
protocol AnyThrowing: Sendable { func fail() throws(any Error) }

// MARK: ownership
protocol Owning: Sendable {
  func look(_ name: borrowing String)
  func eat(_ meal: consuming Meal)
  func change(_ meal: inout Meal) -> Bool
}
protocol Keys: Sendable {
  func open(_ key: borrowing Key) -> Bool
  func lose(_ key: consuming Key)
}
// refused: Key is not copied
protocol KeyMaker: Sendable { func make() -> Key }
// refused: is ~Copyable
protocol Unique: ~Copyable { func go() }

// MARK: members
protocol Subscripts: Sendable {
  subscript(index: Int) -> Meal { get }
  subscript(name name: String) -> Int { get set }
  subscript<T: Sendable>(type: T.Type) -> T? { get }
  subscript(slow index: Int) -> Int { get async throws }
  static subscript(key: String) -> Int { get }
}
protocol Mutating: Sendable {
  mutating func change(to number: Int)
  mutating func next() -> Int?
  var count: Int { mutating get set }
}
protocol Statics: Sendable {
  static func count() -> Int
  static func note(_ text: String)
  static var shared: Int { get set }
  static func find(_ name: String) async throws -> Meal
}
protocol Properties: Sendable {
  var slow: Int { get async }
  var failing: Meal { get async throws }
  var written: [Meal] { get set }
  var frozen: Meal { get }
  var later: @Sendable () -> Void { get }
}
// refused: an operator has no stub
protocol Operators: Sendable { static func + (one: Self, other: Self) -> Self }
protocol Named: Sendable {
  func `init`()
  func `class`(_ `in`: Int, for `where`: String)
  var `default`: Int { get }
  func record(_ number: Int)
  func `self`(_ number: Int)
}
// refused: a double has a recorder of its own
protocol Recorded: Sendable { func recorder() -> Int }
protocol Overloads: Sendable {
  func send(_ number: Int)
  func send(_ text: String)
  func send(_ meal: Meal) async
  func send() async -> Int
  func send() -> String
  func send(number: Int) throws
}
protocol Built: Sendable {
  func print(@Lines _ lines: () -> [String])
  func store(@Lines _ lines: @escaping @Sendable () -> [String])
}
protocol Variadic: Sendable {
  func add(_ numbers: Int...)
  func join(_ texts: String..., separator: String) -> String
}
protocol Attributed: Sendable {
  @discardableResult func greet(_ name: String) -> Bool
  @available(macOS 26, iOS 26, *) func modern() -> Int
  @available(*, deprecated, message: "use greet") func old()
  @inlinable func fast()
}
protocol Conditional: Sendable {
  #if os(Linux)
  func onLinux() -> Int
  #else
  func elsewhere() -> String
  #endif
}
protocol Wide: Sendable {
  /// A comment.
  func order(
    _ meal: Meal,  // what is ordered
    at table: Int /* the table */,
    for guests: [String]
  )
    async throws
    -> Meal?
}

// MARK: types
protocol Aliased: Sendable {
  typealias Number = Int
  typealias Answer = @Sendable (Number) -> Void
  func take(_ number: Number) -> Number
  func ask(_ answer: @escaping Answer)
}
protocol Associated<Item>: Sendable {
  associatedtype Item: Sendable = Int
  associatedtype Index: Hashable, Sendable
  func item(at index: Index) async -> Item
  func put(_ items: [Item], at index: Index)
}
protocol AssociatedSequence: Sendable {
  associatedtype Values: AsyncSequence & Sendable where Values.Element == Int
  func values() -> Values
}
protocol Bounded<Element> {
  associatedtype Element: Sendable
  associatedtype Other: Collection & Sendable where Other.Element == Element
  func take(_ element: Element)
  func others() -> Other?
}
protocol Publishing<Event>: Sendable {
  associatedtype Event: Sendable
  func publish(_ event: Event) async
  func pause()
  func last() -> Event?
}
protocol PublishingNumbers: Publishing where Event == Int { func reset() }
protocol Journal: Sendable {
  func note(_ happened: Happening, and call: Call)
  func note(_ event: Event)
  func first() async throws -> Event
}
// refused: Thing is not known to be Sendable
protocol Unbounded<Thing> {
  associatedtype Thing
  func thing() -> Thing
}
// refused: a generic type has no static stubs
protocol StaticAssociated<Thing> {
  associatedtype Thing: Sendable
  static func make() -> Thing
}
// refused: requires the class Furniture
protocol MovableToo where Self: Furniture { func lift() }
protocol Narrowed: Associated where Item == Meal, Index == Int {
  func extra()
}
// refused: requires the class Furniture
protocol Movable: Furniture { func lift() }
// refused: requires the class NSObject
protocol Objective: NSObject { func lift() }
protocol Refining: Elsewhere, OtherFile, Sendable { func own() async }
// refused: inherits Swift.Comparable
protocol Ordered: Comparable, Sendable { func rank() -> Int }
// refused: inherits Swift.Hashable
protocol Keyed: Hashable, Sendable { var key: Int { get } }
// refused: inherits Swift.Identifiable
protocol Listed: Identifiable, Sendable { var title: String { get } }
// refused: inherits Swift.CustomStringConvertible
protocol Described: CustomStringConvertible, Sendable { func go() }
protocol Failing: Error { var code: Int { get } }
// refused unless on the main actor by default: Sheet is not known to be Sendable
protocol Plain { func bring(_ sheet: Sheet) -> Sheet }
// refused unless on the main actor by default: Sheet is not known to be Sendable
protocol Paper: Sendable { func sheet() -> Sheet }

// MARK: builders
protocol TypedBuildable: Buildable {
  @MainActor func build(withListener listener: any MealListener, at table: Int) async throws(Sold) -> any Routing
}
protocol ThrowingBuildable: Buildable {
  @MainActor func build(withListener listener: any MealListener, at table: Int) async throws -> Meal
}
protocol SynchronousBuildable: Buildable {
  func build(_ meal: Meal, at table: Int) -> Meal
}
protocol TwiceBuildable: Buildable {
  func build(_ meal: Meal) async -> Meal
  func build(_ meal: Meal, again: Bool) async throws(Sold) -> any Routing
}
protocol MealListener: AnyObject, Sendable { func mealDidEnd() async }
