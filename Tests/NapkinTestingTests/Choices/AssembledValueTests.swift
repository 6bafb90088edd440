// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

import NapkinTesting
import Testing

@Suite struct AssembledValueTests {
  enum Step: Sendable, Equatable {
    case push(Int, String)
    case move(by: Int)
  }

  enum Door: Sendable, Equatable {
    case open(width: Int)
    case shut, locked
  }

  enum Either<Left: Sendable & Equatable, Right: Sendable & Equatable>: Sendable, Equatable {
    case left(Left)
    case right(Right)
  }

  struct Room: Sendable, Equatable {
    var name: String
    let doors: [Door]
    var first: Door
    let size: Either<Int, String>
    let letter: Character

    init?(_ name: String) { return nil }
  }

  private func made<Value: Sendable>(_ type: Value.Type) -> Value {
    let tape = ChoiceTape()
    let value = Gen<Value>.element(of: []).draw(from: tape)
    #expect(tape.problems.map(\.happened) == ["Gen.element(of:) was given an empty collection."])
    return value
  }

  @Test func `an enum is its first case without a value`() { #expect(made(Door.self) == .shut) }

  @Test func `an enum whose cases all have values is its first case, with empty ones`() {
    #expect(made(Step.self) == .push(0, ""))
    #expect(made(Either<[Int], Int>.self) == .left([]))
  }

  @Test func `a struct is put together of empty parts, past an initialiser that fails`() {
    let room = made(Room.self)
    #expect(room.name.isEmpty && room.doors.isEmpty && room.first == .shut)
    #expect(room.size == .left(0))
    #expect(room.letter == "a")
  }

  @Test func `an exploration that draws from an empty list of enums fails at the line of the list`() async throws {
    let line = #line + 2
    let result = await Explorer(executions: 20).run {
      let step = Execution.draw(.element(of: [Step]()))
      await Task { _ = step }.value
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.first?.hasPrefix("Gen.element(of:) was given an empty collection.") == true)
    #expect(failure.sourceLocation?.line == line)
  }
}

#endif
