// SPDX-License-Identifier: Apache-2.0

/// Knows which properties are weak or unowned, so that they are not read: the object of an unowned one may be gone.
///
/// `Mirror` does not distinguish them. The standard library does, with the functions below, which `Mirror` itself calls;
/// their symbols are part of the stable interface of the library.
package struct WeakProperties {
  // Whether the properties of a type are strong, or values; the inherited ones come first.
  private var known: [ObjectIdentifier: [Bool]] = [:]

  package init() {}

  /// The other children of a value, each with its place, among as many as are to be looked at.
  package mutating func strongChildren(of mirror: Mirror, most: Int) -> [(offset: Int, child: Mirror.Child)] {
    let areStrong = mirror.subjectType is any CustomReflectable.Type ? [] : areStrong(in: mirror.subjectType)
    let inherited = areStrong.count - mirror.children.count
    return mirror.children.indices.prefix(most).enumerated().compactMap { offset, index in
      inherited >= 0 && !areStrong[inherited + offset] ? nil : (offset, mirror.children[index])
    }
  }

  /// The value of a property of an object without a superclass, which is strong or weak: an unowned one is not read.
  package static func value(of name: String, in object: AnyObject) -> Any? {
    let type: any AnyObject.Type = type(of: object)
    let children = Mirror(reflecting: object).children
    let place = (0..<min(recursiveCount(type), children.count)).first { index in
      var field = Field()
      let declared = childMetadata(type, index: index, fieldMetadata: &field)
      defer { field.free?(field.name) }
      let isRead = field.isStrong || declared is any ExpressibleByNilLiteral.Type
      return isRead && field.name.map { String(cString: $0) } == name
    }
    return place.map { children[children.index(children.startIndex, offsetBy: $0)].value }
  }

  private mutating func areStrong(in type: Any.Type) -> [Bool] {
    if let known = known[ObjectIdentifier(type)] { return known }
    let areStrong = (0..<Self.recursiveCount(type)).map { index in
      var field = Field()
      _ = Self.childMetadata(type, index: index, fieldMetadata: &field)
      field.free?(field.name)
      return field.isStrong
    }
    known[ObjectIdentifier(type)] = areStrong
    return areStrong
  }

  /// Laid out as the standard library's `_FieldReflectionMetadata`.
  private struct Field {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
  }

  @_silgen_name("swift_reflectionMirror_recursiveCount")
  private static func recursiveCount(_: Any.Type) -> Int

  @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
  private static func childMetadata(
    _: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<Field>
  ) -> Any.Type
}
