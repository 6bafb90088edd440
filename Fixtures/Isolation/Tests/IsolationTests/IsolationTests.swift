// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

/// Five tests, of which the third ends the process in one of the four orders in which two guests can ask and take.
@Suite struct IsolationTests {
  actor Seats {
    private var taken: [Int: String] = [:]

    func isFree(_ seat: Int) -> Bool { taken[seat] == nil }

    /// Ben looks again, and Ada does not.
    func take(_ seat: Int, for guest: String) {
      if guest == "ben", taken[seat] != nil { return }
      precondition(taken[seat] == nil, "seat \(seat) is sold twice")
      taken[seat] = guest
    }
  }

  private static func book(_ guests: [String], in seats: Seats) async {
    await withTaskGroup { group in
      for (number, guest) in guests.enumerated() {
        group.addTask(name: guest) {
          if await seats.isFree(number) { await seats.take(number, for: guest) }
        }
      }
    }
  }

  @Test(.interleavings(100)) func `one guest has a seat`() async {
    let seats = Seats()
    await Self.book(["ada"], in: seats)
    #expect(await !seats.isFree(0))
  }

  @Test(.interleavings(100)) func `two guests have two seats`() async {
    let seats = Seats()
    await Self.book(["ada", "ben"], in: seats)
    #expect(await !seats.isFree(1))
  }

  @Test(.interleavings(1_000)) func `two guests want one seat`() async {
    let seats = Seats()
    await withTaskGroup { group in
      for guest in ["ada", "ben"] {
        group.addTask(name: guest) {
          // Without a suspension in between, asking and taking would be one visit of the actor.
          guard await seats.isFree(7) else { return }
          await Task.yield()
          await seats.take(7, for: guest)
        }
      }
    }
  }

  @Test(.interleavings(100), arguments: [2, 3]) func `each guest has a seat`(count: Int) async {
    let seats = Seats()
    await Self.book((0..<count).map { "guest \($0)" }, in: seats)
    #expect(await !seats.isFree(count - 1))
  }

  @Test func `an ordinary test runs as ever`() async {
    #expect(await Seats().isFree(1))
  }
}
