// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCSplitting
internal import NapkinTestingEngine
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
@_spi(Reflection) internal import Swift
#endif

/// Finds the variables that several tests come to, in tests that explore nothing, and lists them when the process ends.
///
/// `NAPKIN_SHARED=1` asks for it, in a process that is built with `NAPKIN_SPLIT=1`. A variable is one of a class or an actor, or a
/// global or static one; what is in a `Mutex` is none. No order of two tests counts.
enum SharedState {
  fileprivate struct Test {
    let title: String
    let place: String

    /// Reads `Module.Suite/function()/File.swift:1:2`, by which the testing library knows a test.
    init(id: String) {
      let name = id.lastIndex(of: "/").map { id[..<$0] } ?? id[...]
      title = name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? String(name)
      place = id.split(separator: "/").last.map { $0.split(separator: ":").prefix(2).joined(separator: ":") } ?? id
    }
  }

  private struct Tests {
    var all: [Test] = []
    var numbers: [String: Int32] = [:]
  }

  private static let tests = Mutex(Tests())
  // A function alone gets another layer each time that the lock hands it out.
  private struct Finder {
    let find: @Sendable () -> String?
  }

  private static let finder = Mutex<Finder?>(nil)

  /// Hears of the variables of tests from now on; the function returns the test that its caller is in.
  static func install(_ test: @escaping @Sendable () -> String?) -> Bool {
    finder.withLock { $0 = Finder(find: test) }
    guard napkin_hear_sharing({ SharedState.number() }) else { return false }
    return atexit { SharedState.report() } == 0
  }

  private static func write(_ text: String) { napkin_write_error(text, text.utf8.count) }

  /// The number of the test that the caller is in; negative if it is in none.
  private static func number() -> Int32 {
    guard let name = finder.withLock({ $0 })?.find() else { return -1 }
    return tests.withLock { tests in
      if let known = tests.numbers[name] { return known }
      let number = Int32(tests.all.count)
      tests.all.append(Test(id: name))
      tests.numbers[name] = number
      return number
    }
  }

  private static func report() {
    var misses = false
    let count = napkin_shared_variables(nil, 0, &misses)
    let seen = [napkin_shared_variable](unsafeUninitializedCapacity: count) { buffer, written in
      written = min(count, napkin_shared_variables(buffer.baseAddress, count, &misses))
    }
    let all = tests.withLock { $0.all }
    guard !all.isEmpty || napkin_has_run_test_case() else { return }
    write(SharingReport(seen.compactMap { SharedVariable($0, all) }, tests: all.count, misses: misses).text)
  }
}

/// A variable that tests share, in words.
private struct SharedVariable {
  /// How suspicious it is, the most first.
  enum Kind: String, CaseIterable {
    case unguarded = "No single lock or actor was seen at all accesses to these"
    case guarded = "A lock or an actor is around each access to these, and one test finds what another has left"
  }

  let kind: Kind
  let name: String
  private(set) var others: Int
  private var accesses: [(test: Int32, writes: Bool, words: String)]
  private var isReplaced: Bool

  /// Nil for a variable that is only read, or that no code comes to but the framework's.
  init?(_ seen: napkin_shared_variable, _ tests: [SharedState.Test]) {
    let accesses = withUnsafeBytes(of: seen.accesses) {
      Array($0.bindMemory(to: napkin_shared_access.self).prefix(Int(seen.access_count)))
    }
    guard accesses.contains(where: \.writes), !accesses.allSatisfy({ Self.module(of: $0) == "Napkin" }) else {
      return nil
    }
    kind = seen.guard == 0 ? .unguarded : .guarded
    isReplaced = seen.is_replaced
    let variable = VariableName(at: seen.address)
    func words(_ access: napkin_shared_access) -> String {
      let test = tests[Int(access.test)]
      let place = Self.place(of: Self.calls(of: access), field: variable?.field)
      return "\(test.title) (\(place?.fileAndLine ?? test.place))"
    }
    self.accesses = accesses.map { ($0.test, $0.writes, words($0)) }
    name = (variable?.text ?? "Memory that has no name here") + (variable?.declaration.map { " (\($0))" } ?? "")
    others = Int(seen.others)
  }

  private static func calls(of access: napkin_shared_access) -> [UInt] {
    withUnsafeBytes(of: access.callers) { Array($0.bindMemory(to: UInt.self)) }.filter { $0 != 0 }
  }

  private static func module(of access: napkin_shared_access) -> String? {
    calls(of: access).first.flatMap { Symbolicator.place(at: $0, isCall: true, withLine: false)?.module }
  }

  /// The line that comes to a variable: that of its accessor is where it is declared, and the caller's counts.
  private static func place(of calls: [UInt], field: String?) -> SourcePlace? {
    guard let first = calls.first, let own = Symbolicator.place(at: first, isCall: true, withLine: false) else {
      return nil
    }
    if own.member != field, let place = Symbolicator.place(ofAccess: first) { return place }
    let place = Symbolicator.caller(among: calls.dropFirst())
    return place?.line == nil ? nil : place
  }

  /// Takes what tests do to another part of the variable, or to that of another object.
  mutating func add(_ other: Self) {
    accesses += other.accesses
    others += other.others
    isReplaced = isReplaced || other.isReplaced
  }

  var text: String {
    var known: Set<Int32> = []
    let tests = (accesses.filter(\.writes) + accesses).filter { known.insert($0.test).inserted }
    let shown = tests.prefix(Int(napkin_shared_accesses))
    let readers = shown.filter { !$0.writes }.map(\.words)
    var parts = ["written by \(shown.filter(\.writes).map(\.words).listed)"]
    if !readers.isEmpty { parts.append("read by \(readers.listed)") }
    let more = others > 0 ? ", and more" : tests.count > shown.count ? ", and \(tests.count - shown.count) more" : ""
    let order = isReplaced ? "" : "; one test filled it before others read it"
    return "\(name): \(parts.joined(separator: "; "))\(more)\(order)."
  }
}

extension [String] {
  fileprivate var listed: String { dropLast().joined(separator: ", ") + (count > 1 ? " and " : "") + (last ?? "") }
}

private struct SharingReport {
  let text: String

  private static let most = 40

  init(_ variables: [SharedVariable], tests: Int, misses: Bool) {
    var lines: [String] = []
    for kind in SharedVariable.Kind.allCases {
      // The parts of a variable have one name, and so have those of two objects.
      let own = Dictionary(grouping: variables.lazy.filter { $0.kind == kind }, by: \.name).values
        .map { same in same.dropFirst().reduce(into: same[0]) { $0.add($1) } }
        .sorted { ($0.others, $1.name) > ($1.others, $0.name) }
      guard !own.isEmpty else { continue }
      lines.append("\(kind.rawValue):")
      lines += own.prefix(Self.most).map { "  \($0.text)" }
      if own.count > Self.most { lines.append("  and \(own.count - Self.most) more.") }
    }
    if misses { lines.append("Some are not listed: there were more than 262,144 variables at a time.") }
    let unheard = ": tests of XCTest ran, and none of those is heard of."
    let heard = tests == 1 ? "one test that was" : "\(tests) tests that were"
    let rest = lines.isEmpty ? " none." : "\n" + lines.joined(separator: "\n")
    text = "State that tests share" + (tests == 0 ? unheard : ", among the \(heard) heard of:" + rest) + "\n"
  }
}

/// The name of a variable by its address: that of a global, or a type and a field, after the global that refers to the object.
private struct VariableName {
  let text: String
  let field: String
  /// The file and the line that declare it; nil where they are not known.
  let declaration: String?

  init?(at address: UInt) {
    if let symbol = Self.symbol(napkin_variable_at(address)) {
      (text, field, _) = Self.names(of: symbol)
      declaration = Self.line(ofFunction: String(symbol.dropLast(symbol.hasSuffix("Z") ? 3 : 2)), "vau", "vauZ", "WZ")
      return
    }
    let start = napkin_object_around(address)
    guard start != 0 else { return nil }
    let object = unsafeBitCast(UnsafeRawPointer(bitPattern: start), to: Unmanaged<AnyObject>.self)
    let type: any AnyObject.Type = object._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    let offset = Int(address - start)
    guard let field = Self.field(of: type, at: offset) else { return nil }
    self.field = field
    let types = sequence(first: type) { _getSuperclass($0) }
    let classes = types.map { _typeName($0, qualified: false) }
    // A structure with one reference has the same bits, and is not the object.
    let global = Self.symbol(napkin_variable_that_holds(start)).map(Self.names)
      .flatMap { names in classes.contains { [$0, "Optional<\($0)>"].contains(names.type) } ? names.text : nil }
    text = "\(global ?? classes[0]).\(field)"
    declaration = types.lazy.compactMap { Self.line(of: field, in: $0) }.first
  }

  /// The line that declares a field, which is no line of any code: it is looked for in the file that has an initialiser of the type.
  private static func line(of field: String, in type: any AnyObject.Type) -> String? {
    guard let metadata = symbol(napkin_variable_at(unsafeBitCast(type, to: UInt.self))) else { return nil }
    let initializer = napkin_function_named(String(metadata.dropLast(metadata.hasSuffix("Mf") ? 2 : 1)), "fC")
    guard initializer != 0, let file = Symbolicator.line(of: initializer, orNext: true)?.path else { return nil }
    let name = _typeName(type, qualified: false)
    // A property with a wrapper is stored under its name with an underscore.
    let fields = field.hasPrefix("_") ? [field, String(field.dropFirst())] : [field]
    let lines = String(decoding: [UInt8](ofFile: file, most: 1 << 20), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .drop { !$0.element.contains("class \(name)") && !$0.element.contains("actor \(name)") }
    func first(_ names: Regex<(Substring, Substring)>) -> (offset: Int, element: Substring)? {
      lines.first { _, line in line.matches(of: names).contains { fields.contains(String($0.1)) } }
    }
    // A further name of a line looks like a label, so it comes last.
    let declared = first(#/\b(?:var|let) (\w+)/#) ?? first(#/, (\w+)(?= ?[=:,])/#)
    return declared.map { "\(file.split(separator: "/").last ?? ""):\($0.offset + 1)" }
  }

  /// The stored property at an offset, or with a part there: the last one that begins before.
  private static func field(of type: any AnyObject.Type, at offset: Int) -> String? {
    var found: (name: String, offset: Int)?
    #if os(Linux)
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, start, _, _ in
      if start <= offset, start >= found?.offset ?? 0 { found = (String(cString: name), start) }
      return true
    }
    #endif
    return found.map { name, _ in name.hasPrefix("$__lazy_storage_$_") ? String(name.dropFirst(18)) : name }
  }

  private static func symbol(_ name: UnsafeMutablePointer<CChar>?) -> String? {
    defer { free(name) }
    return name.map { String(cString: $0) }
  }

  /// `static Tests.Settings.shared : Tests.Settings` as `Settings.shared`, its last part, and its type, `Settings`.
  private static func names(of symbol: String) -> (text: String, field: String, type: String) {
    guard let demangled = self.symbol(napkin_demangled(symbol)) else { return (symbol, symbol, "") }
    let plain = demangled.replacing(#/\((\w+) in _[0-9A-F]+\)/#) { $0.1 }
    var path = plain.prefix { $0 != ":" }.split(separator: " ").last.map(String.init) ?? plain
    if let dot = path.firstIndex(of: ".") { path = String(path[path.index(after: dot)...]) }
    let type = plain.split(separator: " : ").last.map { String($0.replacing(#/(?:\w+\.)+/#, with: "")) } ?? ""
    return (path, path.split(separator: ".").last.map(String.init) ?? path, type)
  }

  private static func line(ofFunction beginning: String, _ ends: String...) -> String? {
    ends.lazy.map { napkin_function_named(beginning, $0) }.filter { $0 != 0 }
      .compactMap { Symbolicator.place(at: $0)?.fileAndLine }.first
  }
}
