// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A dependency for a builder under test, which records the properties that the builder reads.
///
///     final class HomeDependencyMock: MockComponent, HomeDependency, @unchecked Sendable {
///       var userService: any UserService { provided { UserServiceMock() } }
///     }
///
///     let dependency = HomeDependencyMock()
///     _ = await HomeBuilder(dependency: dependency).build(withListener: listener)
///     #expect(dependency.reads == ["userService"])
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
open class MockComponent: Component<any EmptyDependency>, Recording, @unchecked Sendable {
  /// The names of the properties that were read.
  public let recorder: Recorder<String>

  /// Makes a component that has recorded nothing.
  public init() {
    recorder = Recorder("\(Self.self)")
    super.init(dependency: EmptyComponent())
  }

  /// The names of the properties in the order of the reads, with repetitions.
  public var reads: [String] { recorder.events }

  /// Records a read of the property around the call, and returns the same instance each time.
  public func provided<T>(_ property: String = #function, _ factory: () -> T) -> T {
    recorder.record(property)
    return shared(__function: property, factory)
  }
}
