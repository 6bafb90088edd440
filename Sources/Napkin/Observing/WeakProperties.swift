// SPDX-License-Identifier: Apache-2.0

/// The names of the weak and unowned properties of a class.
///
/// `Mirror` does not distinguish them. The standard library does, with the functions below, which `Mirror` itself calls;
/// their symbols are part of the stable interface of the library.
package enum WeakProperties {
  /// The names of a class, that of its superclasses included.
  package static func names(of type: AnyClass) -> Set<String> {
    var names: Set<String> = []
    for index in 0..<recursiveCount(type) {
      var field = Field()
      _ = childMetadata(type, index: index, fieldMetadata: &field)
      if let name = field.name, !field.isStrong { names.insert(String(cString: name)) }
      field.free?(field.name)
    }
    return names
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
