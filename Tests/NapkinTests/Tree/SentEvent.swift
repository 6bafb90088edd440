// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// An event of the machine without its nodes: its case, and each flag that the driver can send with it.
struct SentEvent: Hashable, CustomStringConvertible {
  enum Kind: Int, CaseIterable {
    case attach, detach, attachAgain, activate, deactivate, load, whenActive, callbackReturned, refused, closed
    case loadEnded, onMain, routerBegan, routerEnded, withdraw, tie, adopt, disown, passOver
  }

  let kind: Kind
  /// Whether a callback makes the call.
  var isInside = false
  /// The flag of the case itself.
  var flag = false
  var onMain = false

  /// A case of the type that is not walked does not compile here.
  init(_ event: TreeMachine.Event, onMain: Bool) {
    self.onMain = onMain
    switch event {
    case .attach(_, to: _, in: let frame): (kind, isInside) = (.attach, frame != nil)
    case .detach(_, from: _, in: let frame): (kind, isInside) = (.detach, frame != nil)
    case .attachAgain(_, to: _, in: let frame): (kind, isInside) = (.attachAgain, frame != nil)
    case .activate(_, in: let frame): (kind, isInside) = (.activate, frame != nil)
    case .deactivate(_, in: let frame): (kind, isInside) = (.deactivate, frame != nil)
    case .load(_, let begins, let frame): (kind, flag, isInside) = (.load, begins, frame != nil)
    case .whenActive(_, let isInside): (kind, flag) = (.whenActive, isInside)
    case .callbackReturned: kind = .callbackReturned
    case .refused: kind = .refused
    case .closed: kind = .closed
    case .loadEnded: kind = .loadEnded
    case .onMain: kind = .onMain
    case .routerBegan: kind = .routerBegan
    case .routerEnded(_, let isReleased): (kind, flag) = (.routerEnded, isReleased)
    case .withdraw: kind = .withdraw
    case .tie: kind = .tie
    case .adopt: kind = .adopt
    case .disown: kind = .disown
    case .passOver: kind = .passOver
    }
  }

  private init(_ kind: Kind, isInside: Bool, flag: Bool, onMain: Bool) {
    (self.kind, self.isInside, self.flag, self.onMain) = (kind, isInside, flag, onMain)
  }

  /// Its flags as a number below eight.
  fileprivate var flags: Int { (isInside ? 4 : 0) | (flag ? 2 : 0) | (onMain ? 1 : 0) }

  /// Each event that the driver can send.
  static let all: [SentEvent] = Kind.allCases.flatMap { kind in
    let (insides, flags, mains): ([Bool], [Bool], [Bool]) =
      switch kind {
      case .attach, .detach, .attachAgain: ([false, true], [false], [true])
      case .activate, .deactivate: ([false, true], [false], [false, true])
      case .load: ([false, true], [false, true], [true])
      case .whenActive: ([false], [false, true], [false])
      case .callbackReturned, .refused, .closed: ([false], [false], [false, true])
      case .loadEnded, .onMain, .adopt, .disown, .passOver: ([false], [false], [true])
      case .routerBegan, .withdraw, .tie: ([false], [false], [false])
      case .routerEnded: ([false], [false, true], [true])
      }
    return insides.flatMap { inside in
      flags.flatMap { flag in mains.map { SentEvent(kind, isInside: inside, flag: flag, onMain: $0) } }
    }
  }

  var description: String {
    "\(kind)\(isInside ? ", inside a callback" : "")\(flag ? ", with its flag" : "")\(onMain ? ", on main" : "")"
  }
}

/// The events that were sent, with a word for each combination of flags and a bit for each case.
struct SentEvents: Sendable {
  private var words = SIMD8<UInt32>()

  mutating func insert(_ event: SentEvent) { words[event.flags] |= 1 << UInt32(event.kind.rawValue) }

  mutating func formUnion(_ other: SentEvents) { words |= other.words }

  func contains(_ event: SentEvent) -> Bool { words[event.flags] & 1 << UInt32(event.kind.rawValue) != 0 }
}
