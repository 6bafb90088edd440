// SPDX-License-Identifier: Apache-2.0

/// The dependencies that a napkin needs from its parent; a feature refines it with a property for each.
public protocol Dependency: AnyObject, Sendable {}

/// The dependencies of a tree's root: none.
public protocol EmptyDependency: Dependency {}

/// A scope in which a feature makes the dependencies of itself and of its children.
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
/// `Sendable` may be handed in. The component itself adds `SharedInstances`, which any thread may use; a subclass answers
/// for the stored properties that it adds.
nonisolated open class Component<DependencyType>: Dependency, @unchecked Sendable {
  /// The dependencies that the parent provides.
  public let dependency: DependencyType

  private let instances = SharedInstances()

  /// Creates a scope below that of the parent.
  ///
  /// - Parameter dependency: The parent's component, as the protocol that this feature depends on.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }

  /// Makes an instance at the first call, and returns the same instance from every later one.
  ///
  /// An instance is identified by the component, the property around the call, and the type. Any thread may call: the
  /// factory runs once, on the first thread, and only callers that want the same instance wait for it. A `nil` is an
  /// instance like any other.
  ///
  /// A factory may use further shared properties, of this component or its parents. A cycle among them stops the process
  /// with a message that names the path. An override whose factory reads the same property of `super`, with the same type,
  /// is such a cycle, unless it passes a `__function` of its own.
  ///
  /// - Complexity: A call takes one lock, for one look-up in a dictionary, and never waits for a factory of another
  ///   property.
  ///
  /// - Parameters:
  ///   - __function: The name of the property, which the compiler fills in.
  ///   - factory: Makes the instance; it is called once for each property and type.
  /// - Returns: The instance of this property and type.
  public final func shared<T>(__function: String = #function, _ factory: () -> T) -> T {
    instances.instance(of: __function, in: self, factory)
  }

  /// Makes an instance for a key at the first call, and returns the same instance from every later one.
  ///
  /// Use it where several properties share an instance, or one function makes several. The key replaces the name of the
  /// property; in all else this is `shared(__function:_:)`.
  ///
  /// - Parameters:
  ///   - forCallerKey: The key, unique within this component.
  ///   - factory: Makes the instance; it is called once for each key and type.
  /// - Returns: The instance of this key and type.
  public final func shared<T>(forCallerKey: String, _ factory: () -> T) -> T {
    instances.instance(of: forCallerKey, in: self, factory)
  }
}

extension Component where DependencyType == any EmptyDependency {
  /// Creates a scope without dependencies, such as that of an app's root.
  public convenience init() {
    self.init(dependency: EmptyComponent())
  }
}

/// A component without dependencies, for a builder that needs an ``EmptyDependency``.
///
///     let builder = RootBuilder(dependency: EmptyComponent())
///
/// `@unchecked` because an open class cannot be `Sendable` otherwise; a subclass answers for its stored properties.
nonisolated open class EmptyComponent: EmptyDependency, @unchecked Sendable {
  /// Creates an empty component.
  public init() {}
}
