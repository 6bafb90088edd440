// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing
import XCTest

/// An end that a cell's code comes to.
///
/// The comments that begin with "at:" mark the line that a report has to show.
nonisolated struct Ending: Sendable {
  let name: String
  /// The code that may suspend.
  private(set) var work: Construct.Work
  /// The same without a suspension; nil where it has to suspend.
  private(set) var step: Construct.Step?

  private init(_ name: String, suspending work: @escaping Construct.Work) { (self.name, self.work) = (name, work) }

  private init(_ name: String, _ step: @escaping Construct.Step) {
    (self.name, self.work, self.step) = (name, { try step() }, step)
  }

  static let all = [
    Ending("passes") {},
    Ending("passes later", suspending: { await pause() }),
    Ending("expectation") {
      let seats = 3
      #expect(seats == 2)  // at: expectation
    },
    Ending("order", suspending: checkThenAct),
    Ending("throws") { throw Sold() },
    Ending("assertion") {
      XCTAssertEqual(3, 2, "seats")  // at: assertion
    },
    Ending("trap") {
      preconditionFailure("seat 7 is sold twice")  // at: trap
    },
    Ending("exit") {
      exit(0)  // at: exit
    },
    Ending("hang") {
      waitForByte()
    },
    Ending("deadlock", suspending: waitForEver),
    Ending("endless stream", suspending: readForEver),
    Ending("livelock", suspending: poll),
    Ending("leak", suspending: leak),
    Ending("race", suspending: race),
    Ending("outlives") {
      let visits = Visits.next()
      #expect(visits <= 3)  // at: outlives
    },
    Ending("once") {
      let visits = Visits.next()
      #expect(visits != 4)  // at: once
    },
    Ending("random") {
      let number = Int.random(in: 0..<8)
      #expect(number != 5)  // at: random
    },
    Ending("coin", suspending: flipCoin),
    Ending("drawn") {
      let seat = Execution.draw(.int(in: 0...7), "seat")  // at: draws
      #expect(seat != 7)  // at: drawn
    },
  ]
}

struct Sold: Error {}

/// Counts the visits of each cell in this process.
nonisolated private enum Visits {
  @TaskLocal static var cell = ""
  private static let counts = Mutex<[String: Int]>([:])

  static func next() -> Int {
    counts.withLock {
      $0[cell, default: 0] += 1
      return $0[cell]!
    }
  }
}

nonisolated extension Ending {
  /// The same ending, whose visits count as a cell's wherever they are: a detached task and a thread inherit nothing.
  func counted(as cell: String) -> Ending {
    var counted = self
    counted.work = { [work] in try await Visits.$cell.withValue(cell) { try await work() } }
    if let step { counted.step = { try Visits.$cell.withValue(cell) { try step() } } }
    return counted
  }
}

/// Sells one seat, and looks before it does.
private actor Seats {
  private var free = 1
  private(set) var sold = 0
  var hasFree: Bool { free > 0 }
  func take() {
    free -= 1
    sold += 1
  }
  func sell() async {
    guard free > 0 else { return }
    await Task.yield()
    take()
  }
}

@Sendable private func checkThenAct() async {
  let seats = Seats()
  async let first: Void = seats.sell()
  async let second: Void = seats.sell()
  _ = await (first, second)
  let sold = await seats.sold
  #expect(sold == 1)  // at: order
}

nonisolated private func waitForByte() {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  var byte: UInt8 = 0
  read(ends[0], &byte, 1)  // at: hang
}

@Sendable private func waitForEver() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }  // at: deadlock
}

@Sendable private func readForEver() async {
  let (stream, continuation) = AsyncStream<Int>.makeStream()
  for await _ in stream {}  // at: endless stream
  continuation.finish()
}

private actor Flag {
  var isUp = false
}

@Sendable private func poll() async {
  let flag = Flag()
  while await !flag.isUp { await Task.yield() }
}

private final class Node: Sendable {
  private let other = Mutex<Node?>(nil)
  func hold(_ node: Node) { other.withLock { $0 = node } }
}

@Sendable private func leak() async {
  await expectDeallocated {  // at: leak
    let (first, second) = (Node(), Node())
    first.hold(second)
    second.hold(first)
    return first
  }
}

nonisolated private final class Box: @unchecked Sendable {
  var number = 0
}

@Sendable private func race() async {
  let box = Box()
  async let first: Void = { box.number = 1 }()  // at: race
  async let second: Void = { box.number = 2 }()
  _ = await (first, second)
}

private actor Switch {
  private var isOn = false
  func turn(_ isOn: Bool) { self.isOn = isOn }
}

/// Starts two tasks in an order that no choice of the execution decides.
@Sendable private func flipCoin() async {
  let light = Switch()
  let turns = Bool.random() ? [true, false] : [false, true]
  let tasks = turns.map { isOn in
    isOn ? Task { await light.turn(true) } : Task { await light.turn(false) }
  }
  for task in tasks { await task.value }
}
