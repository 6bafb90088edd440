// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

private final class Node: Sendable {}

@MainActor private final class Loop {
  var held: Loop?
}

private final class Model: Sendable {
  static let lineOfTask = #line + 3

  func start() {
    Task { [weak self] in
      guard let self else { return }
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        tick()
      }
    }
  }

  private func tick() {}
}

private struct Broken: Error {}

@Suite struct ExpectDeallocatedTests {
  @Test func `an object without a reference is released`() async {
    #expect(await expectDeallocated { Node() })
    #expect(await expectDeallocated { await MockRouter() })
    #expect(await expectDeallocated { MockInteractor() })
  }

  @Test func `what is held elsewhere is an issue, by name, at the line of the call`() async {
    let kept = Node()
    let records = await issueRecords {
      #expect(await !expectDeallocated(within: .milliseconds(5)) { kept })
    }
    #expect(
      records.map(\.text) == [
        """
        Node is still alive 5 ms after the last use.
        Likely cause: a strong `listener` or `router` closes a cycle, or a task that still runs holds it.
        What to do: make the reference weak, or end the task, as in `willResignActive()`.
        """
      ]
    )
    #expect(records.map(\.line) == [#line - 11])
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `the task that keeps an object is named, with its creation and where it waits`() async throws {
    let failure = try #require(
      await Explorer(executions: 10).run {
        await expectDeallocated {
          let model = Model()
          model.start()
          await Task.yield()
          return model
        }
      }.failure)
    let (start, wait) = (Model.lineOfTask, Model.lineOfTask + 3)
    #expect(
      failure.report.hasPrefix(
        """
        Model is still alive 1 s after the last use, and task 1 (created at ExpectDeallocatedTests.swift:\(start), waiting at \
        ExpectDeallocatedTests.swift:\(wait) in closure in Model.start()) has not ended.
        Likely cause: that task holds it, or a strong reference closes a cycle.
        """), "\(failure.report)")
  }

  @Test(.enabled(if: PlatformWays.findFunctions, "functions are found by a library of Linux's toolchain"))
  func `a weak variable that is not nil names the task that may keep its object`() async throws {
    let failure = try #require(
      await Explorer(executions: 10).run {
        var model: Model? = Model()
        model?.start()
        weak let gone = model
        await Task.yield()
        model = nil
        #expect(gone == nil)
      }.failure)
    let start = "An object is kept that is expected to be gone, and task 1 (created at ExpectDeallocatedTests.swift:"
    #expect(failure.report.hasPrefix(start), "\(failure.report)")
    #expect(failure.report.contains(" in closure in Model.start()) has not ended.\nExpectation failed: (gone"))
    #expect(!failure.report.contains("It fails where"))
  }

  @Test func `a variable of a value that is not nil is an expectation like any other`() async throws {
    let failure = try #require(
      await Explorer(executions: 10).run {
        let model = Model()
        model.start()
        await Task.yield()
        let name: String? = "Napkin.Router"
        #expect(name == nil)
      }.failure)
    #expect(!failure.report.contains("An object is kept"), "\(failure.report)")
  }

  @Test func `a cycle is found`() async {
    let loop = await issues {
      await expectDeallocated(within: .milliseconds(5)) { @MainActor in
        let loop = Loop()
        loop.held = loop
        return loop
      }
    }
    #expect(loop.count == 1)
  }

  @Test func `every object of a tuple, an optional and an array is looked at`() async {
    let (kept, other) = (Node(), Node())
    let texts = await issues {
      await expectDeallocated(within: .milliseconds(5)) { (Node(), [kept, other], Node?.none) }
    }
    #expect(texts.first?.hasPrefix("Node, Node are still alive") == true)
  }

  @Test func `a result without an object is an issue`() async {
    let texts = await issues { #expect(await !expectDeallocated { 3 }) }
    #expect(
      texts == [
        """
        expectDeallocated was given Int, which contains no object, so nothing could be deallocated.
        Likely cause: the closure returns another value than the object that it uses.
        What to do: return the router, the interactor or a tuple of them from the closure.
        """
      ]
    )
    #expect(await issues { await expectDeallocated { [Node]() } }.count == 1)
  }

  @Test func `what the closure throws is thrown on`() async {
    await #expect(throws: Broken.self) { try await expectDeallocated { () -> Node in throw Broken() } }
  }

  @Test func `clean-up that has begun is waited for`() async {
    let gate = Gate()
    let gone = await expectDeallocated(within: .seconds(5)) {
      let node = Node()
      Task {
        await gate.pass()
        withExtendedLifetime(node) {}
      }
      await gate.reached()
      gate.open()
      return node
    }
    #expect(gone)
  }

  @Test @MainActor func `a closure of the main actor is called there`() async {
    let kept = Loop()
    await expectDeallocated {
      let loop = Loop()
      kept.held = loop
      kept.held = nil
      return loop
    }
  }
}
