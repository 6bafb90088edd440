// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private actor Counter {
  private(set) var value = 0

  func increment() async {
    let before = value
    await Task.yield()
    value = before + 1
  }
}

/// The files that a failure leaves for a debugger.
///
/// That the debuggers stop there is seen by `.ci/debugger`.
@Suite struct DebuggerFilesTests {
  private static func failure() async throws -> Exploration.Failure {
    let exploration = await Explorer(seed: 1).run {
      let counter = Counter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      #expect(await counter.value == 2)
    }
    return try #require(exploration.failure)
  }

  private static let arguments = ["/tests/App's.xctest", "--filter", "^T\\/`a b`$"]

  @Test func `both debuggers replay the token and stop at the two steps that decide`() async throws {
    let failure = try await Self.failure()
    let pair = try #require(failure.decisivePair)
    let files = try #require(DebuggerFiles(failure))
    let asked = [pair.first, pair.second].map { step in "\(step.step)" + (step.line.map { "@\($0)" } ?? "") }
    let gdb = files.gdb(Self.arguments).split(separator: "\n")
    #expect(gdb.contains("set environment NAPKIN_REPLAY \(failure.schedule)"))
    #expect(gdb.contains("set environment NAPKIN_STOP \(asked.joined(separator: ","))"))
    let lldb = files.lldb(Self.arguments).split(separator: "\n")
    #expect(lldb.contains("settings append target.env-vars NAPKIN_REPLAY=\(failure.schedule)"))
    #expect(lldb.contains("settings append target.env-vars NAPKIN_STOP=\(asked.joined(separator: ","))"))
    for step in [pair.first, pair.second] {
      let condition = "step == \(step.step)" + (step.line == nil ? "" : " && address != 0")
      #expect(gdb.contains("break napkin_stop_here if \(condition)"))
      #expect(lldb.contains("breakpoint set --name napkin_stop_here --condition \"\(condition)\""))
      guard let line = step.line else { continue }
      #expect(gdb.contains("tbreak \(line)"))
      let way = "breakpoint set --one-shot true --file 'DebuggerFilesTests.swift' --line "
      #expect(lldb.contains { $0.hasPrefix(way) })
    }
    #expect(gdb.last == "run" && lldb.last == "run")
  }

  @Test func `arguments are quoted as each debugger reads them`() async throws {
    let files = try #require(DebuggerFiles(try await Self.failure()))
    #expect(files.gdb(Self.arguments).contains("set args '--filter' '^T\\/`a b`$'\n"))
    #expect(files.gdb(Self.arguments).contains("file '/tests/App'\\''s.xctest'\n"))
    // LLDB evaluates the text between backticks, also within quotes.
    #expect(files.lldb(Self.arguments).contains("target.run-args '--filter' '^T\\/.a b.$'\n"))
  }

  @Test func `without a pair the first deviation is where to stop`() throws {
    var failure = FailureReportTests.failure(schedule: [0, 1, 0])
    failure.log = .lostUpdate
    let gdb = try #require(DebuggerFiles(failure)).gdb(Self.arguments)
    #expect(gdb.contains("NAPKIN_STOP 4\n"), "\(gdb)")
    #expect(gdb.contains("break napkin_stop_here if step == 4\n"))
  }

  @Test func `a failure in FIFO order has no step to stop at`() async throws {
    let exploration = await Explorer(executions: 1, strategy: .fifo).run { Issue.record("broken") }
    #expect(DebuggerFiles(try #require(exploration.failure)) == nil)
  }

  @Test func `the files are in the database, and gone when the failure is`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "napkin-debug-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = FailureDatabase(folder: folder)
    let files = try #require(DebuggerFiles(try await Self.failure()))
    let remark = try #require(files.write(Self.arguments, into: database, for: "a test"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 2)
    let lldb = try #require(names.first { $0.hasSuffix(".lldb") })
    #expect(remark.hasPrefix("Debug: lldb -s \(folder)/\(lldb)"))
    #expect(try String(contentsOfFile: "\(folder)/\(lldb)", encoding: .utf8) == files.lldb(Self.arguments))
    database.remove("a test")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `steps to stop at are read with their lines, and what is none is refused`() throws {
    let read = try RunSettings { ["NAPKIN_STOP": "3@Account.swift:12,5"][$0] }
    #expect(read.debuggerStops.stops.map(\.description) == ["3@Account.swift:12", "5"])
    for wrong in ["3,", "0", "x@Account.swift:1", "@Account.swift:1"] {
      #expect(throws: Diagnostic.self) { try RunSettings { ["NAPKIN_STOP": wrong][$0] } }
    }
  }
}
