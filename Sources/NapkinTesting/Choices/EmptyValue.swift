// SPDX-License-Identifier: Apache-2.0

/// Makes a value of a type out of nothing: nil, zero, false, something empty, the first of its cases, or what can be put
/// together of such parts.
///
/// Only for a generator that has been reported already and still owes its caller a value.
func emptyValue<Value>(of type: Value.Type) -> Value? {
  let value: Any? =
    switch type {
    case let type as any ExpressibleByNilLiteral.Type: none(type)
    case let type as any ExpressibleByIntegerLiteral.Type: zero(type)
    case let type as any ExpressibleByBooleanLiteral.Type: no(type)
    case let type as any RangeReplaceableCollection.Type: type.init()
    case let type as any SetAlgebra.Type: type.init()
    case let type as any ExpressibleByDictionaryLiteral.Type: emptyDictionary(type)
    case let type as any CaseIterable.Type: firstCase(type)
    case let type as any ExpressibleByUnicodeScalarLiteral.Type: letter(type)
    default: nil
    }
  return value as? Value ?? assembledValue(of: type)
}

private func none<Value: ExpressibleByNilLiteral>(_ type: Value.Type) -> Value { nil }
private func zero<Value: ExpressibleByIntegerLiteral>(_ type: Value.Type) -> Value { 0 }
private func no<Value: ExpressibleByBooleanLiteral>(_ type: Value.Type) -> Value { false }
private func emptyDictionary<Value: ExpressibleByDictionaryLiteral>(_ type: Value.Type) -> Value { [:] }
private func firstCase<Value: CaseIterable>(_ type: Value.Type) -> Value? { type.allCases.first }
private func letter<Value: ExpressibleByUnicodeScalarLiteral>(_ type: Value.Type) -> Value { "a" }
