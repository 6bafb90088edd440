// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Tells in which function of the user's a job goes on, from the address that its task is to be resumed at.
///
/// Only the execution that a failure is told with asks; each address is looked up once in it.
struct FunctionNames {
  private var known: [UInt: FunctionName?] = [:]

  /// What goes on inside these is nothing that the reader has written.
  private static let silent: Set<String> = ["NapkinTesting", "Swift", "_Concurrency", "Testing"]

  /// How many callers are asked before nobody is named.
  private static let depth = 24

  /// The innermost function of the user's that a task that does not run waits to go on in.
  ///
  /// Where only `Napkin` waits, it is a function of `Napkin`.
  mutating func resumed(by task: UnsafeMutableRawPointer) -> FunctionName? {
    var addresses = [UInt](repeating: 0, count: Self.depth)
    let count = napkin_resume_addresses(task, &addresses, addresses.count)
    var second: FunctionName?
    for address in addresses.prefix(count) {
      guard let name = name(at: address) else { continue }
      if name.module != "Napkin" { return name }
      second = second ?? name
    }
    return second
  }

  private mutating func name(at address: UInt) -> FunctionName? {
    if let name = known[address] { return name }
    var name: FunctionName?
    if let text = napkin_function_at(address) {
      name = FunctionName(demangled: String(cString: text))
      napkin_free(text)
    }
    if let module = name?.module, Self.silent.contains(module) { name = nil }
    known[address] = .some(name)
    return name
  }
}
