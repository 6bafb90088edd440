// SPDX-License-Identifier: Apache-2.0

/// A dependency with nothing in it, to hand to whatever asks for an `EmptyDependency`.
///
///     let builder = RootBuilder(dependency: EmptyComponent())
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class EmptyComponent: EmptyDependency, @unchecked Sendable {
  /// Holds nothing, so there is nothing to hand over.
  public init() {}
}
