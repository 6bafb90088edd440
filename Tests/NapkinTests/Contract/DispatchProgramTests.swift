// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Views that send at random, from wherever the main actor is, to an interactor that takes its time.
@MainActor
@Suite struct DispatchProgramTests {
  private enum Sending: Sendable, CaseIterable {
    case plainly, andSuspendsAfterwards, afterASuspension, whatSendsFirst, fromACallback
  }

  private protocol TapListener: AnyObject, Sendable {
    func tapped(_ number: Int) async
    func settled(_ number: Int) async
  }

  private actor Listener: TapListener {
    private(set) var heard: [Int] = []
    private(set) var settledLater = 0

    func tapped(_ number: Int) async {
      heard.append(number)
      await Task.yield()
    }

    func settled(_ number: Int) { settledLater += 1 }
  }

  /// The views' side: it numbers the events, in the order in which they leave the main actor.
  @MainActor
  private final class Views {
    let listener = Listener()
    private(set) var last = 0
    private(set) var settling = 0
    private(set) var sent: [Task<Void, Never>] = []

    private func next() -> Int {
      last += 1
      return last
    }

    func send(_ sending: Sending) async {
      let view: any TapListener = listener
      switch sending {
      case .plainly, .andSuspendsAfterwards:
        let (number, isBrief) = (next(), sending == .plainly)
        if !isBrief { settling += 1 }
        sent.append(
          dispatch {
            await view.tapped(number)
            if !isBrief { await view.settled(number) }
          })
      case .afterASuspension:
        sent.append(
          dispatch {
            await Task.yield()
            await view.tapped(self.next())
          })
      case .whatSendsFirst:
        sent.append(
          dispatch {
            let inner = self.next()
            self.sent.append(dispatch { await view.tapped(inner) })
            await view.tapped(self.next())
          })
      case .fromACallback:
        let it = ProbeInteractor(active: { _ in await self.send(.plainly) })
        await it.activate()
        await it.deactivate()
      }
    }

    func settle() async {
      // An event may send another one meanwhile.
      while let event = sent.popLast() { await event.value }
    }
  }

  @Test func `V1 an interactor receives what views send in the order of sending`() async {
    let program = Gen<[Sending]>.array(of: .allCases, count: 1...4)
    await explore(executions: 500) { @MainActor in
      let views = Views()
      let noise = Task { for number in 1...3 { await views.listener.settled(number) } }
      let senders = Execution.draw(.array(of: program, count: 1...3), "views").map { sendings in
        Task { @MainActor in
          for sending in sendings {
            await views.send(sending)
            if sending == .plainly { continue }
            await Task.yield()
          }
        }
      }
      for sender in senders { await sender.value }
      await views.settle()
      await noise.value
      #expect(await views.listener.heard == Array(1...views.last), "V1: in another order, or not once")
      #expect(await views.listener.settledLater == views.settling + 3, "V1: what came after was lost")
    }
  }
}
