// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A builder that makes a product with a closure, and records its arguments.
///
///     final class ProfileBuilderMock: MockBuilder<any ProfileListener, any ProfileRouting>, ProfileBuildable,
///       @unchecked Sendable
///     {
///       func build(withListener listener: any ProfileListener) async -> any ProfileRouting { await produce(listener) }
///     }
///
///     let builder = ProfileBuilderMock { _ in ProfileRouterMock() }
///     await router.routeToProfile()
///     #expect(builder.buildCount == 1)
///
/// Several arguments are a tuple. The recorder keeps the arguments alive.
/// Under an exploration every `produce` is a scheduling point, as a builder that wires an actor has one.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise: its own properties are immutable and `Sendable`,
/// and a subclass answers for its stored properties.
open class MockBuilder<Argument: Sendable, Product>: Buildable, Recording, @unchecked Sendable {
  /// The argument of a call.
  public typealias Event = Argument

  /// The arguments, to be awaited: `await builder.recorder.events(atLeast: 1)`.
  public let recorder: Recorder<Argument>

  private let make: @MainActor (Argument) async -> Product

  /// Makes a builder from a closure that makes the product of each call.
  public init(_ make: @escaping @MainActor (Argument) async -> Product) {
    self.make = make
    recorder = Recorder("\(Self.self)")
  }

  /// The arguments of all calls, oldest first.
  public var arguments: [Argument] { recorder.events }

  /// The number of calls.
  public var buildCount: Int { recorder.count }

  /// Records the argument and makes the product; the `build` method of the mock calls it.
  @MainActor
  public func produce(_ argument: Argument) async -> Product {
    recorder.record(argument)
    await CurrentExecution.schedulingPoint()
    return await make(argument)
  }
}

extension MockBuilder where Argument == Void {
  /// Makes the product of a `build` method without arguments.
  @MainActor
  public func produce() async -> Product {
    await produce(())
  }
}
