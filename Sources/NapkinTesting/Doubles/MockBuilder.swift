// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A builder that makes what the test says, and keeps what it was asked with.
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
/// Several arguments are a tuple. The arguments are kept alive, as a mock keeps what it was called with.
/// Under an exploration every `produce` is a scheduling point, as a builder that wires an actor has one.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise: its own properties are immutable and `Sendable`,
/// and a subclass answers for what it adds.
open class MockBuilder<Argument: Sendable, Product>: Buildable, @unchecked Sendable {
  /// Holds the arguments, to be awaited: `await builder.recorder.events(atLeast: 1)`.
  public let recorder: Recorder<Argument>

  private let make: @MainActor (Argument) async -> Product

  /// Takes what makes the product, each time it is asked for one.
  public init(_ make: @escaping @MainActor (Argument) async -> Product) {
    self.make = make
    recorder = Recorder("\(Self.self)")
  }

  /// What the builder was asked with, oldest first.
  public var arguments: [Argument] { recorder.events }

  /// How often the builder was asked.
  public var buildCount: Int { recorder.count }

  /// Is called by the mock's own `build`: keeps the argument, then makes the product.
  @MainActor
  public func produce(_ argument: Argument) async -> Product {
    recorder.record(argument)
    await CurrentExecution.schedulingPoint()
    return await make(argument)
  }
}

extension MockBuilder where Argument == Void {
  /// Is called by the mock's own `build` where it takes nothing.
  @MainActor
  public func produce() async -> Product {
    await produce(())
  }
}
