// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A dependency for a builder under test, which says what the builder took from it.
///
///     final class HomeDependencyMock: MockComponent, HomeDependency, @unchecked Sendable {
///       var userService: any UserService { provided { UserServiceMock() } }
///     }
///
///     let dependency = HomeDependencyMock()
///     _ = await HomeBuilder(dependency: dependency).build(withListener: listener)
///     #expect(dependency.reads == ["userService"])
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it adds.
open class MockComponent: Component<any EmptyDependency>, @unchecked Sendable {
  /// Holds the names of the properties that were read.
  public let recorder: Recorder<String>

  /// Provides nothing yet.
  public init() {
    recorder = Recorder("\(Self.self)")
    super.init(dependency: EmptyComponent())
  }

  /// The properties that were read, in order, one that was read twice twice.
  public var reads: [String] { recorder.events }

  /// Notes that the property around the call is read, and provides one and the same instance each time.
  public func provided<T>(_ property: String = #function, _ factory: () -> T) -> T {
    recorder.record(property)
    return shared(__function: property, factory)
  }
}
