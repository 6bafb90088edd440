// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct GateTests {
  private let gate = Gate()
  private let passed = Recorder<Int>("Passed")

  private func arrive(_ count: Int) async -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for number in 1...count {
      tasks.append(
        Task { [gate, passed] in
          await gate.pass()
          passed.record(number)
        }
      )
      await gate.reached(by: number)
    }
    return tasks
  }

  @Test func `an open gate holds no task`() async {
    await Gate(isOpen: true).pass()
    gate.open()
    await gate.pass()
    #expect(gate.waiting == 0)
  }

  @Test func `a closed gate holds until it is opened`() async {
    let tasks = await arrive(2)
    #expect(gate.waiting == 2)
    #expect(passed.events == [])
    gate.open()
    for task in tasks { await task.value }
    #expect(gate.waiting == 0)
    #expect(passed.events.sorted() == [1, 2])
  }

  @Test func `an admission goes to the first task`() async {
    let tasks = await arrive(3)
    for number in 1...3 {
      gate.admit()
      #expect(await passed.next() == number)
    }
    for task in tasks { await task.value }
  }

  @Test func `an admission is kept for a later task, and a close takes it back`() async {
    gate.admit()
    await gate.pass()
    gate.admit()
    gate.close()
    let task = Task { [gate] in await gate.pass() }
    await gate.reached()
    gate.open()
    await task.value
  }

  @Test func `a gate can be closed again`() async {
    gate.open()
    await gate.pass()
    gate.close()
    let task = Task { [gate] in await gate.pass() }
    await gate.reached()
    #expect(gate.waiting == 1)
    gate.open()
    await task.value
  }

  @Test func `cancellation ends the wait at a gate`() async {
    let tasks = await arrive(1)
    tasks[0].cancel()
    await tasks[0].value
    #expect(gate.waiting == 0)
  }

  @Test func `cancellation ends the wait for a task to arrive`() async {
    let task = Task { [gate] in await gate.reached() }
    task.cancel()
    await task.value
  }

  @Test func `a gate that is never opened records one issue and lets the task go`() async {
    let texts = await issues { await gate.pass(within: .milliseconds(10)) }
    #expect(
      texts == [
        """
        A task was held at a Gate for 10 ms, and the gate was not opened.
        Likely cause: the test ends, fails or waits for something else before it calls `open()`.
        What to do: call `open()` or `admit()` on every path of the test, or make the gate `Gate(isOpen: true)`.
        """
      ]
    )
    #expect(gate.waiting == 0)
  }

  @Test func `a gate that no task reaches records one issue`() async {
    let texts = await issues { await gate.reached(by: 2, within: .milliseconds(10)) }
    #expect(
      texts == [
        """
        A Gate was not reached by 2 tasks within 10 ms; tasks waiting: 0.
        Likely cause: the code under test took another path, or ended before it called `pass()`.
        What to do: check what was called with a Recorder, or allow more time with `within:`.
        """
      ]
    )
  }
}
