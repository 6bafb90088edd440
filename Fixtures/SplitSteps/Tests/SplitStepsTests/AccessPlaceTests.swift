// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private final class Latched: @unchecked Sendable {
  private var value: CheckedContinuation<Void, any Error>?
  private var count = 0
  func set(_ new: CheckedContinuation<Void, any Error>?) {
    value = new  // first
  }
  func isSet() -> Bool {
    value != nil  // second
  }
  func raise() {
    count += 1  // raise
  }
}

private final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
  func put(_ new: Value) {
    value = new  // put
  }
  func get() -> Value {
    let current = value  // get
    return current
  }
}

private func raise(_ number: inout Int) { number += 1 }

/// The lines that a data race names.
@Suite struct AccessPlaceTests {
  private func text(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async -> String {
    let exploration = await Explorer(executions: 20, seed: 1, shrinks: false).run {
      async let one: Void = first()
      async let two: Void = second()
      _ = await (one, two)
    }
    return exploration.failure?.messages.joined() ?? ""
  }

  /// The number of the line of this file that ends in a comment.
  private static func line(_ comment: String) throws -> Int {
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.hasSuffix("  // \(comment)") }) + 1
  }

  @Test func `an optional of a generic type races in the methods that use it`() async throws {
    let latched = Latched()
    let text = await text({ latched.set(nil) }, { _ = latched.isSet() })
    #expect(text.contains("writes at AccessPlaceTests.swift:\(try Self.line("first")) in Latched.set(_:)"), "\(text)")
    #expect(text.contains("reads at AccessPlaceTests.swift:\(try Self.line("second")) in Latched.isSet()"), "\(text)")
  }

  @Test func `a generic property races in the methods that use it`() async throws {
    let box = Box("")
    let text = await text({ box.put("a") }, { _ = box.get() })
    #expect(text.contains("writes at AccessPlaceTests.swift:\(try Self.line("put")) in Box.put(_:)"), "\(text)")
    // The compiler gives the code of this read no line: it is that of what follows.
    #expect(text.contains("reads at AccessPlaceTests.swift:\(try Self.line("get") + 1) in Box.get()"), "\(text)")
  }

  @Test func `an increment races in the method that makes it`() async throws {
    let latched = Latched()
    let text = await text({ latched.raise() }, { latched.raise() })
    let line = "writes at AccessPlaceTests.swift:\(try Self.line("raise")) in Latched.raise()"
    #expect(text.ranges(of: line).count == 2, "\(text)")
  }

  @Test func `an increment races in the closure that makes it`() async throws {
    let counts = Counts()
    let text = await text(
      {
        counts.first += 1  // one
      },
      {
        raise(&counts.first)  // other
      })
    #expect(text.contains("writes at AccessPlaceTests.swift:\(try Self.line("one"))"), "\(text)")
    #expect(text.contains("writes at AccessPlaceTests.swift:\(try Self.line("other"))"), "\(text)")
  }
}
