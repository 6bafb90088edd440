// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// Two balances, each with a lock, and transfers that take both.
private final class Bank: Sendable {
  private let first = Guarded(100)
  private let second = Guarded(100)

  func moveToFirst() {
    second.modify { balance in
      first.modify { $0 += 1 }
      balance -= 1
    }
  }

  /// Two uses of the lock, between which the balance may change.
  func readAndSet() {
    let balance = first.modify { $0 }
    first.modify { $0 = balance + 1 }
  }
  var balance: Int { first.modify { $0 } }

  func moveToSecond() {
    first.modify { balance in
      second.modify { $0 += 1 }
      balance -= 1
    }
  }
}

@Suite struct WrappedLockTests {
  @Test func `a deadlock of locks in wrappers shows the lines of the code that uses them`() async throws {
    let result = await Explorer(seed: 1).run {
      let bank = Bank()
      async let one: Void = bank.moveToFirst()
      async let other: Void = bank.moveToSecond()
      _ = await (one, other)
    }
    let text = try #require(result.failure?.diagnostics.first).summary
    #expect(
      text.contains(
        #/waits for a lock \((first|second)\) at WrappedLockTests\.swift:\d+ in closure in Bank\.\w+\(\), through Guarded\.modify\(_:\) at WrappedLock\.swift:\d+ and WrappedLock\.lock\(\) at WrappedLock\.swift:\d+, which task \d has taken at WrappedLockTests\.swift:\d+ in Bank/#
      ), "\(text)")
  }

  @Test func `a preemption at a lock in wrappers is at the line of the code that uses it`() async throws {
    let heard = Words()
    for seed in 1...10 as ClosedRange<UInt64> {
      await withKnownIssue {
        await Explorer(executions: 500, seed: seed).check {
          let bank = Bank()
          async let one: Void = bank.readAndSet()
          async let other: Void = bank.readAndSet()
          _ = await (one, other)
          try #require(bank.balance == 102)
        }
      } matching: { issue in
        heard.add(issue.comments.map(\.rawValue).joined())
        return true
      }
    }
    let rows = heard.text.matches(of: #/◆ .* is preempted (before it takes|after it has given back) a lock in (.*)/#)
    #expect(!rows.isEmpty, "\(heard.text)")
    for row in rows {
      #expect(row.output.2.contains(#/^(closure in )?Bank\.readAndSet\(\) +WrappedLockTests\.swift:\d+/#))
    }
  }

  @Test func `a deadlock says which lock is one of the runtime`() async throws {
    let result = await Explorer(seed: 1).run {
      let lock = WrappedLock()
      let task = Task(name: "waiter") {
        await withTaskCancellationHandler {
          lock.lock()
          // The handler is added under the lock that a cancellation holds while it calls handlers.
          await withTaskCancellationHandler {
          } onCancel: {
          }
          lock.unlock()
        } onCancel: {
          lock.lock()
          lock.unlock()
        }
      }
      await Task.yield()
      task.cancel()
      await task.value
    }
    let text = try #require(result.failure?.diagnostics.first).summary
    #expect(text.contains("waiter waits for a lock of the Swift runtime, which body has taken at"), "\(text)")
    #expect(
      text.contains(
        #/body waits for a lock \(lock\) at WrappedLockTests\.swift:\d+ in closure in .*, through WrappedLock\.lock\(\) at/#
      ),
      "\(text)")
  }
}
