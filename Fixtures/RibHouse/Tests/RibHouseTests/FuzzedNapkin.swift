// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

@testable import RibHouse

/// A parent for one napkin of the house: it builds the napkin as it is loaded, listens to it, attaches and detaches it.
///
/// What is fuzzed is the napkin alone, between services and a listener that a fuzzer can speak through.
@MainActor
final class FuzzedNapkin<Child: Routing>: Router<ParentInteractor> {
  typealias Make = @MainActor @Sendable (Ears, HouseMock) async -> Child

  let ears = Ears()
  let services = HouseMock()
  /// How often it was built: each time the napkin begins anew.
  private(set) var builds = 0
  /// What the pit was last heard to say.
  var reading: [Cut] = []
  private let make: Make
  private lazy var slot = ChildSlot<Child>(of: self)

  init(_ make: @escaping Make) {
    self.make = make
    super.init(interactor: ParentInteractor())
  }

  override func didLoad() async { await bring() }

  var child: Child? { children.lazy.compactMap { $0 as? Child }.first }

  /// Builds the napkin, unless it is there.
  func bring() async {
    guard !slot.isTaken else { return }
    builds += 1
    await slot.show { await make(ears, services) }
  }

  /// Lets it go.
  func dismiss() async { await slot.clear() }
}

final actor ParentInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// The listener of every napkin, which counts what it hears.
final class Ears: LoggedOutListener, LoggedInListener, PitBoardListener, AnnouncementsListener, MenuListener {
  private struct Heard {
    var logins = 0
    var mostLogins = 0
    var logouts = 0
    var closings = 0
    var specials: [Special] = []
  }

  private let heard = Mutex(Heard())

  /// The most logins that were under way at the same time.
  var mostLogins: Int { heard.withLock { $0.mostLogins } }
  var logouts: Int { heard.withLock { $0.logouts } }
  var closings: Int { heard.withLock { $0.closings } }
  var specials: [Special] { heard.withLock { $0.specials } }

  /// Admits the users that the execution draws, after a moment.
  func loggedOutDidRequestLogin() async throws {
    let isFull = Execution.draw(.bool, "the house is full")
    heard.withLock {
      $0.logins += 1
      $0.mostLogins = max($0.mostLogins, $0.logins)
    }
    defer { heard.withLock { $0.logins -= 1 } }
    try await Execution.clock.sleep(for: .seconds(1))
    if isFull { throw HouseIsFull() }
  }

  func loggedInDidRequestLogout() async { heard.withLock { $0.logouts += 1 } }
  func pitBoardDidClose(_: any PitBoardRouting) async { heard.withLock { $0.closings += 1 } }
  func menuDidClose(_: any MenuRouting) async { heard.withLock { $0.closings += 1 } }
  func announcementsDidHear(_ special: Special) async { heard.withLock { $0.specials.append(special) } }
}

extension TreeFuzzer {
  /// What the parent does to any napkin.
  func comingAndGoing<Child: Routing>() -> Self where Root == FuzzedNapkin<Child> {
    action(FuzzAction("bring") { await $0.bring() }.when { $0.child == nil })
      .action(FuzzAction("dismiss") { await $0.dismiss() }.when { $0.child != nil })
      .invariant("there is one napkin at most", checked: .afterEveryAction) { $0.children.count <= 1 }
  }
}
