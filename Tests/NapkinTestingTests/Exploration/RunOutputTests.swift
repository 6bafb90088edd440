// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

#if os(macOS) || os(Linux)
/// The output of bodies, in processes of their own.
@Suite(.enabled(if: PlatformWays.replaceLibraryFunctions, "what the body prints is printed here"))
struct RunOutputTests {
  @Sendable private static func chat() async {
    print("by print", 1)
    print("x", terminator: "\n")
    FileHandle.standardOutput.write(Data("by a file handle\n".utf8))
    puts("by puts")
    withVaList([3]) { _ = vprintf("by printf %ld\n", $0) }
    async let other: Void = Task.yield()
    await Task.yield()
    await other
  }

  private static let lines = ["by print 1", "x", "by a file handle", "by puts", "by printf 3"]

  /// The lines of these that were printed; other output, such as that of the self-test, is left out.
  private static func lines(of result: ExitTest.Result?, among lines: [String] = lines) throws -> [String] {
    let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { lines.contains($0) }
  }

  @Test func `an exploration that passes prints nothing of its body`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let passing = await Explorer(executions: 50).run(Self.chat)
      precondition(passing.failure == nil)
    }
    #expect(try Self.lines(of: result) == [])
  }

  @Test func `of a failing exploration the reported execution is printed`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let failing = await Explorer(executions: 50).run {
        await Self.chat()
        Issue.record("broken")
      }
      precondition(failing.failure != nil)
    }
    #expect(try Self.lines(of: result).sorted() == Self.lines.sorted())
  }

  @Test func `with NAPKIN_OUTPUT=all every execution is printed`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      setenv("NAPKIN_OUTPUT", "all", 1)
      _ = await Explorer(executions: 50).run(Self.chat)
    }
    #expect(try Self.lines(of: result).count == 50 * Self.lines.count)
  }

  /// SwiftPM reads the output of tests by 4,096 bytes, and drops all that it has read where that ends in a character.
  @Test(.disabled(if: PlatformWays.isSanitized, "the stream is the system's beside a sanitizer"))
  func `a reader that takes 4,096 bytes cuts no character in two`() async throws {
    await #expect(processExitsWith: .success) {
      let texts = [10, 1_000, 4_090, 5_000, 9_000, 40_000].flatMap { size in
        (0..<3).map { String(repeating: "x", count: $0) + String(repeating: "│", count: size / 3) }
      }
      let total = texts.reduce(0) { $0 + $1.utf8.count + 1 }
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0 && close(ends[1]) == 0)
      let (source, isDone) = (ends[0], DispatchSemaphore(value: 0))
      let reader = Thread {
        var (bytes, count) = ([UInt8](repeating: 0, count: 4_096), 0)
        while case let taken = read(source, &bytes, bytes.count), taken > 0 {
          if String(validating: bytes.prefix(taken), as: UTF8.self) == nil { exit(3) }
          count += taken
          usleep(300)
        }
        exit(count >= total ? 0 : 4)
      }
      reader.start()
      // By the stream that the testing library prints to; Swift does not let its variable be read.
      let stream = dlsym(nil, "stderr").load(as: UnsafeMutablePointer<FILE>.self)
      for text in texts { fputs(text + "\n", stream) }
      close(STDERR_FILENO)
      isDone.wait()
    }
  }

  @Test func `a single execution prints as a plain test does`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      _ = await Explorer(executions: 1).run(Self.chat)
    }
    #expect(try Self.lines(of: result).sorted() == Self.lines.sorted())
  }

  @Test func `what was printed before a crash is shown with it`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("NAPKIN_DATABASE", "off", 1)
      await explore(executions: 50) {
        print("the last words")
        preconditionFailure("on purpose")
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("the last words\n"))
    #expect(text.contains("on purpose"))
  }

  @Test func `standard output keeps its order around an exploration`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      print("first")
      _ = await Explorer(executions: 5).run(Self.chat)
      print("second")
      fflush(nil)
      FileHandle.standardOutput.write(Data("third\n".utf8))
      print("fourth")
      fflush(nil)
      FileHandle.standardOutput.write(Data("fifth\n".utf8))
    }
    let inOrder = ["first", "second", "third", "fourth", "fifth"]
    #expect(try Self.lines(of: result, among: inOrder) == inOrder)
  }

  @Test func `other threads print as ever`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      _ = await Explorer(executions: 5).run {
        let thread = Thread { _ = puts("by a thread") }
        thread.start()
        while !thread.isFinished { sched_yield() }
      }
    }
    let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    // Where steps are split, the thread is a task of the schedule, whose output an exploration that passes holds back.
    #expect(text.components(separatedBy: "by a thread").count - 1 == (Instrumentation.splitsSteps ? 0 : 5))
  }
}
#endif
