// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Where each rule of the contract is tested: once by an interleaving that a test forces, once by random programs.
///
/// A program runs in the exploration engine, against a model; a rule that threads alone can break runs on threads, too.
@Suite struct ContractTests {
  struct Rule: Sendable, CustomStringConvertible {
    let description: String
    let forced: String
    let explored: String

    init(_ rule: String, forced: String, explored: String) {
      (description, self.forced, self.explored) = (rule, forced, explored)
    }
  }

  private static let lifecycle = "L1 L2 L3 L4 L10 the callbacks alternate, and the last call to arrive decides"
  private static let scope = "L6 L8 L9 work lives within its scope, and ends with it or with its interactor"
  private static let tree = "T1 to T9 M1 a tree comes to what its calls say in the order of their arrival"
  private static let end = "T10 T13 what loses its root resigns, and what has moved on is left alone"
  private static let sharing = "D1 D2 every property is made once and given to all, in whatever order tasks ask"

  private static let sharingOnThreads = "D1 D2 every property is made once and given to all, on however many threads"
  private static let circles = "D2 a random cycle is reported by its path, and nothing else is"

  static let rules = [
    Rule(
      "L1", forced: "L1 an interactor is active from before one callback until after the other", explored: lifecycle),
    Rule("L2", forced: "L2 a resignation never starts while the activation is suspended", explored: lifecycle),
    Rule("L3", forced: "L3 an activation during a resignation is not lost", explored: lifecycle),
    Rule("L4", forced: "L4 T8 no pair of callback and call waits for itself", explored: lifecycle),
    Rule(
      "L5", forced: "L5 a deactivation cancels a suspended activation and waits for it",
      explored: "L3 L5 activations that never end by themselves are cancelled and resign"),
    Rule("L6", forced: "L6 work does not begin between the end of its scope and its cancellation", explored: scope),
    Rule(
      "L7", forced: "L7 a resignation that is at once superseded is yielded all the same",
      explored: "L7 a stream yields the present value and each change, and ends with its owner"),
    Rule(
      "L8", forced: "L8 a lifecycle that is released cancels its bound tasks and finishes its streams", explored: scope),
    Rule("L9", forced: "L9 bound work inherits priority, task-locals and the caller's executor", explored: scope),
    Rule(
      "L10", forced: "L10 requests count in the order of their calls, whatever their priorities", explored: lifecycle),
    Rule(
      "L11", forced: "L11 a detach ends a wait, though the router is held",
      explored: "L11 a wait ends with the activation or with the place in the tree"),
    Rule(
      "L12", forced: "L12 a run waits until that of an earlier activation has ended",
      explored: "L12 a worker has one run at a time, inside the active scope"),
    Rule(
      "T1", forced: "T1 an attached child is in the tree once, is active, and loads after that",
      explored: tree),
    Rule("T2", forced: "T2 a second attach during the first is misuse", explored: tree),
    Rule("T3", forced: "T3 a second detach waits for the first", explored: tree),
    Rule("T4", forced: "T4 a detach waits for what joins the subtree while it resigns", explored: tree),
    Rule(
      "T5", forced: "T5 a subtree that is attached again wakes parent first and does not load again", explored: tree),
    Rule("T6", forced: "T6 a detach supersedes an attach in flight, whose load is skipped", explored: tree),
    Rule("T7", forced: "T7 a parent whose subtree is being deactivated counts as dormant", explored: tree),
    Rule("T8", forced: "L4 T8 no pair of callback and call waits for itself", explored: tree),
    Rule("T9", forced: "T9 loaded returns after the load", explored: tree),
    Rule(
      "T10", forced: "T10 dropping a root resigns everything below it, deepest first, and releases it", explored: end),
    Rule(
      "T11", forced: "launches from many tasks activate and load once",
      explored: "T11 launches that race activate and load once, and each returns after that"),
    Rule(
      "T12", forced: "T12 a chain of thousands nests in didLoad, and is dropped while active",
      explored: "T12 T4 T10 a large tree activates, resigns deepest first, and is released"),
    Rule("T13", forced: "T13 a parent that goes away leaves alone what has moved on", explored: end),
    Rule(
      "T14", forced: "a clear wins over a build that began before it",
      explored: "of calls at once the last one's child stays, whatever the schedule"),
    Rule(
      "V1", forced: "what is sent first arrives first",
      explored: "V1 an interactor receives what views send in the order of sending"),
    // Factories run to their end on one thread, so beside the programs of tasks there are programs of real threads.
    Rule("D1", forced: "a thread that asks while another one makes the instance gets that one", explored: sharing),
    Rule("D1", forced: "threads that start together share every instance", explored: sharingOnThreads),
    Rule("D2", forced: "a circle across two threads stops with its path", explored: circles),
    Rule("D2", forced: "nil is kept like any other instance", explored: sharing),
    Rule(
      "D3", forced: "two callers of one pass get the same component",
      explored: "D3 every stage of a pass gets its component, and the final stage ends the pass"),
    Rule(
      "D3", forced: "a final stage closes no pass but its own",
      explored: "D3 threads that race share a component until a final stage has used it"),
    Rule(
      "M1", forced: "T2 a second attach is reported at the caller's line and changes nothing",
      explored: tree),
  ]

  @Test(arguments: rules) func `a rule has the tests that the table names`(rule: Rule) throws {
    let tests = try Self.testNames()
    #expect(tests.contains(rule.forced), "\(rule): no test is named \"\(rule.forced)\"")
    #expect(tests.contains(rule.explored), "\(rule): no test is named \"\(rule.explored)\"")
  }

  private static func testNames() throws -> Set<String> {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /func `([^`]+)`/) { names.insert(String(match.1)) }
    }
    return names
  }
}
