// SPDX-License-Identifier: Apache-2.0

/// What a napkin needs from its parent: a feature refines it with the properties it asks for.
public protocol Dependency: AnyObject, Sendable {}

/// What the root of a tree needs from above: nothing.
public protocol EmptyDependency: Dependency {}

/// The scope in which a feature makes what it and its children depend on.
///
///     nonisolated final class HomeComponent: Component<any HomeDependency>, FeedDependency {
///       var session: any Session { dependency.session }               // the parent's
///       var store: Store { shared { Store(session: session) } }       // one in this scope
///       var formatter: Formatter { Formatter(store: store) }          // a new one each time
///     }
///
/// A subclass is nonisolated as this class is, in a target whose default isolation is the main actor as well; the
/// protocols that it reads are not, and say `nonisolated` themselves there.
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise, and because a `DependencyType` that is not
/// `Sendable` may be handed in. What a component adds of its own is `SharedInstances`, which any thread may use; a
/// subclass answers for the stored properties that it adds.
nonisolated open class Component<DependencyType>: Dependency, @unchecked Sendable {
  /// What the parent provides.
  public let dependency: DependencyType

  private let instances = SharedInstances()

  /// Opens a scope under the parent's.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }

  /// Makes an instance the first time it is asked for, and returns that one ever after.
  ///
  /// An instance belongs to the component, the property around the call and the type, so that properties of any number
  /// may ask from any number of threads: the factory runs once, on the first thread, others that want the same instance
  /// wait, others go their way. A factory may use further shared properties, of this component or its parents; a cycle
  /// among them stops the process with a message that names the path. A `nil` is an instance like any other. An override
  /// whose factory asks `super` for the same property and type is such a cycle, unless it gives a `__function` of its own.
  ///
  /// A look-up takes one lock, for a dictionary's look-up, and never waits for a factory of another property.
  ///
  /// - Parameters:
  ///   - __function: The name of the property, which the compiler fills in.
  ///   - factory: Makes the instance; it is never called twice for one property and type.
  /// - Returns: The one instance of this property and type.
  public final func shared<T>(__function: String = #function, _ factory: () -> T) -> T {
    instances.instance(of: __function, in: self, factory)
  }

  /// Makes one instance for a name of the caller's, where several properties are to share it, or one function is to make
  /// several.
  ///
  /// The name stands in for that of the property; in all else this is `shared(__function:_:)`.
  ///
  /// - Parameters:
  ///   - forCallerKey: The name, which counts in this component alone.
  ///   - factory: Makes the instance; it is never called twice for one name and type.
  /// - Returns: The one instance of this name and type.
  public final func shared<T>(forCallerKey: String, _ factory: () -> T) -> T {
    instances.instance(of: forCallerKey, in: self, factory)
  }
}

extension Component where DependencyType == any EmptyDependency {
  /// Opens a scope that needs nothing from above, such as the one of an app's root.
  public convenience init() {
    self.init(dependency: EmptyComponent())
  }
}

/// A dependency with nothing in it, to hand to whatever asks for an `EmptyDependency`.
///
///     let builder = RootBuilder(dependency: EmptyComponent())
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for what it stores.
nonisolated open class EmptyComponent: EmptyDependency, @unchecked Sendable {
  /// Holds nothing, so there is nothing to hand over.
  public init() {}
}
