// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif
#if os(Linux) && !NAPKIN_LIKE_APPLE
@_spi(Internal) internal import Runtime
#endif

/// Finds the function, the file and the line of an address, with the symbolication of the toolchain.
///
/// Only an execution that is reported asks. The first address of a process costs a fraction of a second in a large debug
/// build, since its symbols and line tables are read, each new one less than a millisecond, and one that was looked up before
/// nothing.
/// Elsewhere than on Linux nothing is found.
package enum Symbolicator {
  private struct Known {
    let place: SourcePlace?
    /// Whether its line was looked up, too.
    let isComplete: Bool
  }

  private static let known = Mutex<[UInt: Known]>([:])

  /// Functions of these modules are not part of the code under test.
  private static let hidden: Set<String> = [
    "NapkinTesting", "NapkinTestingEngine", "Swift", "_Concurrency", "Testing", "Synchronization",
  ]

  /// The most callers that are looked up for one task: in a debug build, more than twenty of the kit's own come before the code
  /// that creates a task, where steps are stopped or split.
  private static let depth = 64

  /// The place at which a suspended task resumes: in the innermost waiting function of the code under test.
  ///
  /// If only functions of `Napkin` wait, it is the innermost of those.
  static func resumption(of task: UnsafeMutableRawPointer) -> SourcePlace? {
    innermost(of: resumptions(of: task))
  }

  /// The address at which its innermost waiting function of the code under test resumes; 0 if none waits, as where a closure begins.
  static func address(ofResumption task: UnsafeMutableRawPointer) -> UInt {
    let addresses = resumptions(of: task)
    return addresses.first { isOwn($0) } ?? addresses.first { place(at: $0, withLine: false) != nil } ?? 0
  }

  /// The places at which the waiting functions of the code under test resume, the innermost first.
  static func stack(of task: UnsafeMutableRawPointer) -> [SourcePlace] {
    resumptions(of: task).filter { isOwn($0) }.compactMap { place(at: $0) }
  }

  /// The place at which the outermost waiting function of the code under test resumes.
  static func outermost(of task: UnsafeMutableRawPointer) -> SourcePlace? {
    resumptions(of: task).reversed().lazy.compactMap { place(at: $0) }.first
  }

  /// The innermost call of the code under test that led to the calling code.
  static func caller() -> SourcePlace? {
    caller(among: addresses(napkin_callers))
  }

  /// The calls of the running code that are of the code under test, the innermost first.
  static func callers() -> [SourcePlace] { callers(among: addresses(napkin_callers)) }

  private static func addresses(_ write: (UnsafeMutablePointer<UInt>, Int) -> Int) -> ArraySlice<UInt> {
    var addresses = [UInt](repeating: 0, count: depth)
    let count = write(&addresses, addresses.count)
    return addresses.prefix(count)
  }

  /// The innermost of these calls that is one of the code under test; of those, the innermost that has a line.
  package static func caller(among addresses: some Sequence<UInt>) -> SourcePlace? {
    innermost(of: addresses, isCall: true) { $0.line != nil } ?? innermost(of: addresses, isCall: true)
  }

  /// The place of an access in the code under test, to which the call that says so returns; nil if it has no line.
  ///
  /// The compiler gives such a call no line of its own, but that of the variable which it hands over comes next.
  package static func place(ofAccess address: UInt) -> SourcePlace? {
    guard var place = place(at: address, isCall: true), place.module != "Napkin" else { return nil }
    if place.line == nil, let (path, line) = line(of: address - 1, orNext: true), line > 0,
      !path.contains("@__swiftmacro")
    {
      (place.file, place.line) = (path, line)
    }
    return place.line == nil ? nil : place
  }

  /// The file and the line of an address of the program; or of the next one that has a line.
  package static func line(of address: UInt, orNext: Bool) -> (path: String, line: Int)? {
    var path = [CChar](repeating: 0, count: 4_096)
    let line = Int(napkin_find_line(address, orNext, &path, path.count))
    return line < 0
      ? nil : (String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self), line)
  }

  /// The calls among these that are of the code under test, the innermost first; those of `Napkin` if there are no others.
  package static func callers(among addresses: some Sequence<UInt>) -> [SourcePlace] {
    let own = addresses.filter { isOwn($0, isCall: true) }
    return (own.isEmpty ? Array(addresses) : own).compactMap { place(at: $0, isCall: true) }
  }

  private static func resumptions(of task: UnsafeMutableRawPointer) -> ArraySlice<UInt> {
    addresses { napkin_resume_addresses(task, $0, $1) }
  }

  /// The innermost place that meets a condition: one of the code under test or, if there is none, of `Napkin`.
  private static func innermost(
    of addresses: some Sequence<UInt>, isCall: Bool = false, where condition: (SourcePlace) -> Bool = { _ in true }
  ) -> SourcePlace? {
    let own = addresses.lazy.filter { isOwn($0, isCall: isCall) }.compactMap { place(at: $0, isCall: isCall) }
    return own.first(where: condition)
      ?? addresses.lazy.compactMap { place(at: $0, isCall: isCall) }.first(where: condition)
  }

  /// Whether an address is in the code under test and not in `Napkin`, which is found out without a line.
  private static func isOwn(_ address: UInt, isCall: Bool = false) -> Bool {
    place(at: address, isCall: isCall, withLine: false).map { $0.module != "Napkin" } ?? false
  }

  /// The place of an address at which an async function resumes, or a call returns; nil if it is not in the code under test.
  package static func place(at address: UInt, isCall: Bool = false, withLine: Bool = true) -> SourcePlace? {
    guard address != 0 else { return nil }
    let key = address &<< 1 | (isCall ? 1 : 0)
    // A thread that is held while another one reports the end of the process may have the lock.
    let place = known.withLockIfAvailable { known in
      if let found = known[key], found.isComplete || !withLine { return found.place }
      let place = OwnWork.run { symbolicated(address, isCall, withLine) }
      known[key] = Known(place: place, isComplete: withLine || place == nil)
      return place
    }
    return place ?? OwnWork.run { symbolicated(address, isCall, withLine) }
  }

  /// The stand-in that answered a call at once, and the place that awaits it; nil if the call suspends, or is of the code under test.
  static func standIn(of call: AwaitedCall) -> (standIn: StandIn, place: SourcePlace?)? {
    let address = AwaitedCall.address
    guard !call.hasSuspended, let symbol = rawName(at: address(call.resumption)) else { return nil }
    if symbol.contains("TWTQ") {
      guard let text = napkin_demangled(symbol) else { return nil }
      defer { free(text) }
      return StandIn(witness: String(cString: text)).map { ($0, place(at: address(call.outer))) }
    }
    guard call.callee != 0, let caller = place(at: address(call.resumption), withLine: false),
      caller.module != "Napkin",
      let callee = place(at: address(call.callee), withLine: false), callee.module != caller.module
    else { return nil }
    return (StandIn(function: callee), place(at: address(call.resumption)))
  }

  #if os(Linux) && !NAPKIN_LIKE_APPLE
  private static func rawName(at address: UInt) -> String? {
    let trace = Backtrace(
      architecture: architecture, frames: [.asyncResumePoint(UInt64(address)) as RichFrame<UInt64>], images: images)
    return OwnWork.run {
      trace.symbolicated(with: images, options: [.useSymbolCache])?.frames.first?.symbol?.rawName
    }
  }

  // Every image that the process has loaded; tests load no other while they run.
  private static let images = ImageMap.capture()

  #if arch(arm64)
  private static let architecture = "arm64"
  #else
  private static let architecture = "x86_64"
  #endif

  private static func symbolicated(_ address: UInt, _ isCall: Bool, _ withLine: Bool) -> SourcePlace? {
    let frame: RichFrame<UInt64> = isCall ? .returnAddress(UInt64(address)) : .asyncResumePoint(UInt64(address))
    let trace = Backtrace(architecture: architecture, frames: [frame], images: images)
    guard let named = symbol(in: trace, [.useSymbolCache]),
      var place = SourcePlace(symbol: named.rawName, name: named.name), !hidden.contains(place.module)
    else { return nil }
    guard withLine else { return place }
    // A line of zero is code that the compiler has added, and the expansion of a macro has lines of its own.
    let location = location(of: isCall ? address - 1 : address, in: trace)
    if let (path, line) = location, line > 0, !path.contains("@__swiftmacro") {
      place.file = path
      place.line = line
    }
    return place
  }

  /// The file and the line of an address, which of another image the toolchain finds, at a hundred times the cost of a name.
  private static func location(of address: UInt, in trace: Backtrace) -> (path: String, line: Int)? {
    if let found = line(of: address, orNext: false) { return found }
    return symbol(in: trace, [.showSourceLocations, .useSymbolCache])?.sourceLocation.map { ($0.path, $0.line) }
  }

  /// The name of the function at an address of any module, or to which a call there returns.
  static func name(at address: UInt) -> String? {
    let trace = Backtrace(
      architecture: architecture, frames: [RichFrame<UInt64>.returnAddress(UInt64(address))], images: images)
    return symbol(in: trace, [.useSymbolCache])?.name
  }

  private static func symbol(
    in trace: Backtrace, _ options: Backtrace.SymbolicationOptions
  ) -> SymbolicatedBacktrace.Symbol? {
    guard let found = trace.symbolicated(with: images, options: options)?.frames.first, !found.isSwiftThunk else {
      return nil
    }
    return found.symbol
  }
  #else
  private static func rawName(at address: UInt) -> String? {
    napkin_symbol(address).map { String(cString: $0) }
  }

  private static func symbolicated(_ address: UInt, _ isCall: Bool, _ withLine: Bool) -> SourcePlace? { nil }
  static func name(at address: UInt) -> String? { nil }
  #endif
}

/// Work of the kit in the middle of a job, which is no part of it: no hang is looked for meanwhile, and the thread is not held.
///
/// The longest search for a line that was measured took a third of a second of a processor.
package enum OwnWork {
  /// Says that work goes on which calls code under test again and again: a hang is one call that does not return, and not all of them.
  package static func goesOn() { napkin_beat() }

  /// Does the work.
  package static func run<Result>(_ work: () -> Result) -> Result {
    napkin_begin_own_work()
    defer { napkin_end_own_work() }
    return work()
  }
}
