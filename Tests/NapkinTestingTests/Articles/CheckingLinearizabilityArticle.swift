// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

struct TillModel: SequentialModel {
  enum Command: Sendable {
    case pay(Int)
    case take(Int)
  }
  var balance = 0

  mutating func apply(_ command: Command) -> Bool {
    switch command {
    case .pay(let amount): balance += amount
    case .take(let amount):
      guard balance >= amount else { return false }
      balance -= amount
    }
    return true
  }
}

actor Till {
  private var balance = 0
  private let receipts = Receipts()

  func pay(_ amount: Int) async -> Bool {
    await receipts.note(amount)
    balance += amount
    return true
  }

  func take(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await receipts.note(-amount)
    balance -= amount
    return true
  }
}

actor Receipts {
  private(set) var entries: [Int] = []
  func note(_ amount: Int) { entries.append(amount) }
}

@Suite(.fails(asShownIn: "Sources/NapkinTesting/NapkinTesting.docc/CheckingLinearizability.md"))
struct CheckingLinearizabilityArticle {
  @Test func `a till answers as if it were asked one after the other`() async {
    await checkLinearizable(model: TillModel(), commands: [.pay(1), .take(1)]) {
      Till()
    } perform: { till, command in
      switch command {
      case .pay(let amount): await till.pay(amount)
      case .take(let amount): await till.take(amount)
      }
    }
  }
}
