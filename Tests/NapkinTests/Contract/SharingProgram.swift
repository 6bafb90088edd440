// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

/// Components whose shared properties use each other as a drawn graph says, and the instances of their factories.
final class SharingProgram: Sendable {
  /// The drawn graph: the kinds go by pairs of properties, and every property needs some others, the first first.
  struct Plan: Sendable, CustomStringConvertible {
    let scopes: Int
    let kinds: [Int]
    let needs: [[Int]]

    var description: String { "\(scopes) components, needs \(needs)" }

    /// A number of properties in a range, of which each needs earlier ones only.
    static func acyclic(properties: ClosedRange<Int>) -> Gen<Plan> {
      Gen.zip(.int(in: 1...3), .array(of: .int(in: 0...3), count: 6), .array(of: links, count: properties))
        .map { scopes, kinds, links in
          let needs = links.enumerated().map { index, links in
            links.filter { _ in index > 0 }.map { $0 % max(index, 1) }
          }
          return Plan(scopes: scopes, kinds: kinds, needs: needs)
        }
    }

    private static let links = Gen<[Int]>.array(of: .int(in: 0...59), count: 0...3)
  }

  enum Kind: Int, CaseIterable { case object, absent, generic, list }

  final class Scope: Component<any EmptyDependency>, @unchecked Sendable {}

  /// An instance that a factory makes: it remembers which instances it was given.
  final class Made: Sendable {
    let index: Int
    let needs: [ObjectIdentifier?]
    init(_ index: Int, needs: [ObjectIdentifier?]) { (self.index, self.needs) = (index, needs) }
  }

  private struct Box<Value: Sendable>: Sendable { let value: Value }

  let plan: Plan
  /// Two properties of different kinds go by one name, which must not bring them together.
  private let sharesNames: Bool
  private let scopes: [Scope]
  private let made = Mutex<[Made]>([])
  /// Called in a factory before it asks for other properties.
  private let begins: @Sendable () -> Void
  private let ends: @Sendable () -> Void

  init(
    _ plan: Plan, sharesNames: Bool = true, begins: @escaping @Sendable () -> Void = {},
    ends: @escaping @Sendable () -> Void = {}
  ) {
    (self.plan, self.sharesNames, self.begins, self.ends) = (plan, sharesNames, begins, ends)
    scopes = (0..<plan.scopes).map { _ in Scope() }
  }

  private func kind(_ index: Int) -> Kind? {
    Kind(rawValue: (plan.kinds[index / 2 % plan.kinds.count] + index % 2) % Kind.allCases.count)
  }

  /// Asks for a property as an app does; the answer identifies the instance, and is nil for one that is a `nil`.
  @discardableResult
  func ask(_ index: Int) -> ObjectIdentifier? {
    let scope = scopes[index / 2 % scopes.count]
    let name = "p\(sharesNames ? index / 2 / scopes.count : index)"
    switch kind(index) {
    case .object: return ObjectIdentifier(scope.shared(__function: name) { make(index) })
    case .generic: return ObjectIdentifier(boxed(name, in: scope) { make(index) }.value)
    case .list: return ObjectIdentifier(scope.shared(__function: name) { [make(index)] }[0])
    case .absent, nil:
      let absent: Made? = scope.shared(__function: name) {
        _ = make(index)
        return nil
      }
      return absent.map { ObjectIdentifier($0) }
    }
  }

  private func boxed<Value: Sendable>(_ name: String, in scope: Scope, _ make: () -> Value) -> Box<Value> {
    scope.shared(__function: name) { Box(value: make()) }
  }

  private func make(_ index: Int) -> Made {
    begins()
    let instance = Made(index, needs: plan.needs[index].map { ask($0) })
    ends()
    made.withLock { $0.append(instance) }
    return instance
  }

  /// The mistakes in these answers, by the plainest model: one instance a property, given to all.
  func mistakes(in answers: [(index: Int, id: ObjectIdentifier?)]) -> [String] {
    let made = made.withLock { $0 }
    let byIndex = Dictionary(grouping: made, by: \.index)
    let expected = { (index: Int) -> ObjectIdentifier? in
      self.kind(index) == .absent ? nil : byIndex[index]?.first.map { ObjectIdentifier($0) }
    }
    var mistakes = byIndex.filter { $0.value.count > 1 }.keys.sorted().map { "p\($0) was made more than once" }
    for answer in answers where byIndex[answer.index] == nil { mistakes.append("p\(answer.index) was never made") }
    for answer in answers where answer.id != expected(answer.index) {
      mistakes.append("p\(answer.index) came back as another instance")
    }
    for made in made where made.needs != plan.needs[made.index].map(expected) {
      mistakes.append("p\(made.index) was given another instance than others were")
    }
    return mistakes
  }

  /// The properties on the first circle that one thread runs into, with the first at the end again; nil if there is none.
  func circle(from index: Int) -> [Int]? {
    var (done, stack): (Set<Int>, [Int]) = ([], [])
    func visit(_ index: Int) -> [Int]? {
      if done.contains(index) { return nil }
      if let start = stack.firstIndex(of: index) { return Array(stack[start...]) + [index] }
      stack.append(index)
      for next in plan.needs[index] { if let circle = visit(next) { return circle } }
      stack.removeLast()
      done.insert(index)
      return nil
    }
    return visit(index)
  }
}
