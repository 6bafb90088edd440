// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

private func call(_ type: String?, _ member: String, _ file: String, _ line: Int) -> SourcePlace {
  var place = SourcePlace(module: "App", type: type, member: member)
  (place.file, place.line) = ("/app/\(file)", line)
  return place
}

@Suite struct LockPlaceTests {
  @Test func `a lock that the code uses itself is at its line`() {
    let calls = [call("Account", "withdraw(_:)", "Account.swift", 12), call(nil, "main()", "Main.swift", 3)]
    #expect(LockPlace.words(calls) == "Account.swift:12 in Account.withdraw(_:)")
    #expect(LockPlace.words([]) == nil)
  }

  @Test func `a lock in a wrapper is at the line outside of the wrapper's file`() {
    let calls = [
      call("PthreadLock", "lock()", "Atomic.swift", 193), call("Atomic", "modify(_:)", "Atomic.swift", 50),
      call("Signal", "send(_:)", "Signal.swift", 7), call(nil, "main()", "Main.swift", 3),
    ]
    #expect(
      LockPlace.words(calls) == """
        Signal.swift:7 in Signal.send(_:), through Atomic.modify(_:) at Atomic.swift:50 and PthreadLock.lock() at \
        Atomic.swift:193
        """)
  }

  @Test func `a wrapper in the file of its user is named by its words`() {
    let calls = [
      call("NSLock", "withCriticalLock(_:)", "Account.swift", 4), call("Account", "withdraw(_:)", "Account.swift", 12),
    ]
    #expect(
      LockPlace.words(calls)
        == "Account.swift:12 in Account.withdraw(_:), through NSLock.withCriticalLock(_:) at Account.swift:4")
  }

  @Test func `a test that is about a lock is no wrapper, with a line or without one`() {
    let lock = call("WrappedLock", "lock()", "Lock.swift", 16)
    let test = call("Tests", "a lock is taken once()", "Tests.swift", 3)
    #expect(
      LockPlace.words([lock, test])
        == "Tests.swift:3 in Tests.a lock is taken once(), through \(lock.text) at Lock.swift:16")
    let macro = SourcePlace(module: "App", type: "Tests", member: "a\u{A0}lock\u{A0}twice()")
    #expect(LockPlace.words([lock, macro]) == "Tests.a\u{A0}lock\u{A0}twice(), through \(lock.text) at Lock.swift:16")
  }

  @Test(
    arguments: [
      ("    balance.withLock { $0 += 1 }", nil, "balance"), ("let old = self.state?.lock()", nil, "state"),
      ("    let old = first.modify { $0 }", "modify(_:)", "first"), ("first.modify { $0 }", nil, nil),
      ("    defer { lock.unlock() }", nil, "lock"), ("a.lock(); b.lock()", nil, nil), ("locks[3].lock()", nil, nil),
      ("let count = 1.5", nil, nil),
    ] as [(String, String?, String?)])
  func `a lock has the name that its line calls it by`(_ line: String, _ function: String?, _ name: String?) {
    #expect(LockPlace.name(in: line, calling: function) == name)
  }

  @Test func `the name is read from the line of the code that uses the lock`() {
    let balance = Mutex(0)
    balance.withLock { $0 += 1 }
    var place = call("Account", "withdraw(_:)", "", #line - 1)
    place.file = #filePath
    #expect(LockPlace.name([call("Mutex", "withLock(_:)", "Mutex.swift", 4), place]) == "balance")
    #expect(LockPlace.name([call("Account", "withdraw(_:)", "Gone.swift", 12)]) == nil)
  }

  @Test func `a wrapper without a caller stands for itself`() {
    #expect(LockPlace.words([call("Lock", "lock()", "Lock.swift", 1)]) == "Lock.swift:1 in Lock.lock()")
  }

  @Test(arguments: ["Clock", "Block", "Mutexes", "LockScreen", "LockTests"])
  func `a word that contains that of a lock is none`(_ type: String) {
    let calls = [call(type, "unblock()", "A.swift", 1), call("User", "use()", "B.swift", 2)]
    #expect(LockPlace.words(calls) == "A.swift:1 in \(type).unblock()")
  }
}
