// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Testing

#if os(macOS) || os(Linux)
@Suite final class CorpusTests {
  private let root = NSTemporaryDirectory() + "napkin-corpus-\(UUID().uuidString)"
  private let token = ReplayToken(ChoiceSequence(schedule: [Choice(value: 1, bound: 2)]), fingerprint: 3).text

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// A lesson of this number of picks.
  private func lesson(_ picks: Int) throws -> Lesson {
    var bytes: [UInt8] = [0]
    var rest = picks
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return try #require(Lesson(bytes + [UInt8(rest)] + Array(repeating: 3, count: picks) + [0]))
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.contains(".") }
  }

  @Test func `a lesson comes back as it was written, and once`() throws {
    let corpus = try #require(Corpus(in: root, of: "a test"))
    corpus.add(try lesson(3))
    corpus.add(try lesson(3))
    corpus.add(try lesson(300))
    var known: Set<String> = []
    #expect(Set(corpus.lessons(besides: &known).map(\.bytes)) == [try lesson(3).bytes, try lesson(300).bytes])
    #expect(corpus.lessons(besides: &known).isEmpty)
    #expect(try files().count == 2)
  }

  @Test func `explorations with other keys share nothing`() throws {
    try #require(Corpus(in: root, of: "a test")).add(try lesson(3))
    var known: Set<String> = []
    #expect(try #require(Corpus(in: root, of: "another test")).lessons(besides: &known).isEmpty)
  }

  @Test func `a file that is not whole is read when it is`() throws {
    let corpus = try #require(Corpus(in: root, of: "a test"))
    let name = corpus.add(try lesson(9))
    let path = root + "/" + (try #require(files().first))
    let whole = try Data(contentsOf: URL(filePath: path))
    var known: Set<String> = []
    let bytes = Array(whole)
    for content in [Data(), Data(bytes.dropLast()), Data(bytes + [0]), Data(bytes.reversed())] {
      try content.write(to: URL(filePath: path))
      #expect(corpus.lessons(besides: &known).isEmpty)
    }
    try whole.write(to: URL(filePath: path))
    #expect(corpus.lessons(besides: &known).count == 1)
    #expect(known == [name])
  }

  @Test func `a lesson that claims more than it has is none`() {
    for bytes: [UInt8] in [[], [1], [0, 2, 3, 0], [0, 1, 3, 0, 9], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]] {
      #expect(Lesson(bytes) == nil)
    }
  }

  @Test func `a failure is kept beside others, and one that is no token is as good as none`() throws {
    let corpus = try #require(Corpus(in: root, of: "a test"))
    #expect(corpus.failures().isEmpty)
    corpus.add(failure: token)
    corpus.add(failure: "nk1.garbage")
    #expect(corpus.failures() == [token])
  }

  @Test func `writers that are killed in the middle leave whole files only`() async throws {
    let path = root
    for _ in 0..<4 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let corpus = Corpus(in: path, of: "a test")!
        DispatchQueue.global().async {
          usleep(20_000)
          kill(getpid(), SIGKILL)
        }
        var picks = 0
        while true {
          picks = (picks + 7) % 2_000
          let head: [UInt8] = [0, UInt8(picks & 0x7F) | 0x80, UInt8(picks >> 7)]
          corpus.add(Lesson(head + Array(repeating: 3, count: picks) + [0])!)
        }
      }
    }
    // Each was killed while it wrote; a file that has its name is whole, so all are read.
    let corpus = try #require(Corpus(in: path, of: "a test"))
    var known: Set<String> = []
    let read = corpus.lessons(besides: &known).count
    #expect(read > 0)
    #expect(try files().count { $0.hasSuffix(".lesson") } == read)
  }

  @Test func `a search writes what it learns, and another one of the same test learns it`() async throws {
    let path = root
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("NAPKIN_CORPUS", path, 1)
      for _ in 0..<2 {
        await Explorer(executions: 600, strategy: .guided).check(sourceLocation: #_sourceLocation) { await exchange() }
      }
      let files = try FileManager.default.subpathsOfDirectory(atPath: path)
      #expect(files.count { $0.hasSuffix(".lesson") } > 3)
    }
  }

  @Test func `what one machine has found ends the search of another one, as its failure`() async throws {
    let path = root
    // The second one is to run a single execution, with another seed, and finds it without a search.
    for (executions, seed) in [(100_000, 1), (1, 99)] {
      await #expect(processExitsWith: .exitCode(3)) {
        [path = path as String, executions = executions as Int, seed = seed as Int] in
        setenv("NAPKIN_CORPUS", path, 1)
        setenv("NAPKIN_DATABASE", "off", 1)
        let explorer = Explorer(executions: executions, strategy: .random, seed: UInt64(seed))
        let result = await explorer.runAsATest("a test") {
          if Execution.draw(.int(in: 0...9_999)) == 77 { throw CancellationError() }
        }
        let isOfAnother = result.failure?.remarks.contains { $0.contains("Another machine has found it") }
        exit(isOfAnother == (seed == 99) ? 3 : 1)
      }
    }
    #expect(try files().count { $0.hasSuffix(".failure") } == 1)
  }

  @Test func `a folder that cannot be made is named`() async {
    await #expect(processExitsWith: .success) {
      setenv("NAPKIN_CORPUS", "/dev/null/corpus", 1)
      let exploration = await Explorer(executions: 3).runAsATest("a test") {}
      #expect(exploration.failure?.messages.first?.hasPrefix("NAPKIN_CORPUS is") == true)
    }
  }
}

/// Two tasks that enter an actor in many orders.
private func exchange() async {
  actor Counter {
    var value = 0
    func add() { value += 1 }
  }
  let counter = Counter()
  await withTaskGroup { group in
    for _ in 0..<3 {
      group.addTask { for _ in 0..<4 { await counter.add() } }
    }
  }
}
#endif
