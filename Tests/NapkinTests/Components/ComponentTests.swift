// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization
import Testing

@Suite struct ComponentTests {
  final class Service: Sendable {}

  /// Counts the instances that it makes, and runs the test's closure in a factory.
  final class Scope: Component<any EmptyDependency>, @unchecked Sendable {
    let made = Atomic<Int>(0)
    let inFactory = Mutex<(@Sendable (Scope) -> Void)?>(nil)

    private func make<T>(_ value: T) -> T {
      made.add(1, ordering: .sequentiallyConsistent)
      inFactory.withLock({ $0 })?(self)
      return value
    }

    var service: Service { shared { make(Service()) } }
    var other: Service { shared { make(Service()) } }
    var absent: Service? { shared { make(nil) } }
    var doubled: (Service, Service) { shared { make((service, service)) } }
    var nested: [ObjectIdentifier] { shared { [ObjectIdentifier(service), ObjectIdentifier(other)] } }
    var number: Int { shared { make(7) } }
    var nothing: Void { shared { make(()) } }
    var unshared: Service { Service() }

    func generic<T: Sendable>(_ value: T) -> [T] { shared { make([value]) } }

    func twoOfTwoTypes() -> (Int, String) { (shared { make(1) }, shared { make("one") }) }

    var byName: Service { shared(forCallerKey: "by name") { make(Service()) } }
    var byTheSameName: Service { shared(forCallerKey: "by name") { make(Service()) } }

    func countdown(_ n: Int) -> Int {
      n == 0 ? 0 : shared(__function: "countdown(\(n))") { countdown(n - 1) + 1 }
    }
  }

  @Test func `a property has one instance`() {
    let scope = Scope()
    #expect(scope.service === scope.service)
    #expect(scope.made.load(ordering: .relaxed) == 1)
  }

  @Test func `two properties that give one name share its instance`() {
    let scope = Scope()
    #expect(scope.byName === scope.byTheSameName)
    #expect(scope.byName !== scope.service)
    #expect(scope.made.load(ordering: .relaxed) == 2)
  }

  @Test func `two properties of one type have an instance each`() {
    let scope = Scope()
    #expect(scope.service !== scope.other)
  }

  @Test func `two components have an instance each`() {
    #expect(Scope().service !== Scope().service)
  }

  @Test func `what is not shared is made each time`() {
    let scope = Scope()
    #expect(scope.unshared !== scope.unshared)
  }

  @Test func `a factory may use other shared properties of its component`() {
    let scope = Scope()
    #expect(scope.nested == [ObjectIdentifier(scope.service), ObjectIdentifier(scope.other)])
    #expect(scope.doubled.0 === scope.doubled.1)
  }

  @Test func `a thousand factories may stand inside each other`() {
    #expect(Scope().countdown(1_000) == 1_000)
  }

  @Test func `nil is kept like any other instance`() {
    let scope = Scope()
    #expect(scope.absent == nil && scope.absent == nil)
    #expect(scope.made.load(ordering: .relaxed) == 1)
  }

  @Test func `a value without size is made once`() {
    let scope = Scope()
    scope.nothing
    scope.nothing
    #expect(scope.made.load(ordering: .relaxed) == 1)
  }

  @Test func `a generic property has an instance for each type`() {
    let scope = Scope()
    #expect(scope.generic(1) == [1])
    #expect(scope.generic("one") == ["one"])
    #expect(scope.generic(2) == [1])
  }

  @Test func `two types within one function keep apart`() {
    let scope = Scope()
    #expect(scope.twoOfTwoTypes() == (1, "one"))
    #expect(scope.twoOfTwoTypes() == (1, "one"))
    #expect(scope.made.load(ordering: .relaxed) == 2)
  }

  @Test func `ten thousand properties are all found again`() {
    let scope = Scope()
    for pass in 0..<2 {
      for n in 0..<10_000 {
        let found = scope.shared(__function: "property \(n)") { pass == 0 ? n : -1 }
        if found != n { Issue.record("property \(n) came back as \(found)") }
      }
    }
  }

  @Test func `an override may add to what its superclass shares, under a name of its own`() {
    class Base: Component<any EmptyDependency>, @unchecked Sendable {
      var names: [String] { shared { ["base"] } }
    }
    final class Derived: Base, @unchecked Sendable {
      override var names: [String] { shared(__function: "derived names") { super.names + ["derived"] } }
    }
    #expect(Derived().names == ["base", "derived"])
  }

  @Test func `an instance lives as long as its component`() {
    weak var service: Service?
    do {
      let scope = Scope()
      service = scope.service
      withExtendedLifetime(scope) { #expect(service != nil) }
    }
    #expect(service == nil)
  }

  @Test func `a root component needs no dependency`() {
    final class Root: Component<any EmptyDependency>, @unchecked Sendable {}
    #expect(Root().dependency is EmptyComponent)
  }

  // The second thread asks while the first one's factory is held open, and the factory waits long enough for it to run
  // too: without a lock, or with a check outside it, the second one makes an instance of its own.
  @Test func `a thread that asks while another one makes the instance gets that one`() async {
    let scope = Scope()
    let begun = Moment()
    let second = Moment()
    scope.inFactory.withLock {
      $0 = { scope in
        begun.happens()
        if scope.made.load(ordering: .sequentiallyConsistent) > 1 { second.happens() }
        second.awaited(milliseconds: 30)
      }
    }
    let found = await onTwoThreads(after: begun) { scope.service }
    #expect(scope.made.load(ordering: .relaxed) == 1)
    #expect(found[0] === found[1])
  }

  // The first factory cannot end before the second one has: a lock of the whole component never lets it.
  @Test func `a factory that takes its time holds up no other property`() async {
    let scope = Scope()
    let isHeld = Moment()
    let wasMade = Moment()
    let wasFree = Mutex(false)
    scope.inFactory.withLock {
      $0 = { scope in
        guard scope.made.load(ordering: .sequentiallyConsistent) == 1 else { return }
        isHeld.happens()
        let isFree = wasMade.awaited()
        wasFree.withLock { $0 = isFree }
      }
    }
    await onThreads([
      { _ = scope.service },
      {
        isHeld.awaited()
        _ = scope.other
        wasMade.happens()
      },
    ])
    #expect(wasFree.withLock { $0 })
  }

  // Eight threads start at once on a fresh component, 500 times; without the lock some pair meets within some dozens.
  @Test func `threads that start together share every instance`() async {
    for _ in 0..<500 {
      let scope = Scope()
      let found = Mutex<Set<ObjectIdentifier>>([])
      await onThreads(
        (0..<8).map { thread in
          {
            let ids = [ObjectIdentifier(thread % 2 == 0 ? scope.service : scope.other)] + scope.nested
            found.withLock { $0.formUnion(ids) }
          }
        }
      )
      #expect(found.withLock { $0.count } == 2)
      #expect(scope.made.load(ordering: .relaxed) == 2)
    }
  }
}
