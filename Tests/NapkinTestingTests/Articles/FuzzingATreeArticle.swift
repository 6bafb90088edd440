// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

final actor FuzzedHomeInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

@MainActor final class HomeWithSheets: Router<FuzzedHomeInteractor> {
  final actor SheetInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
  }

  private(set) var sheets: [Router<SheetInteractor>] = []
  private(set) var page = 0

  static func build() async -> HomeWithSheets {
    await Task.yield()
    return HomeWithSheets(interactor: FuzzedHomeInteractor())
  }

  func openSheet() async -> Router<SheetInteractor> {
    let sheet = Router(interactor: SheetInteractor())
    sheets.append(sheet)
    await attachChild(sheet)
    return sheet
  }

  func close(_ sheet: Router<SheetInteractor>) async {
    sheets.removeAll { $0 === sheet }
    await detachChild(sheet)
  }

  func turn(to page: Int) { self.page = page }
}

@Suite struct FuzzingATreeArticle {
  /// There are never more than three screens active below the root.
  struct ActiveScreens: TreeMonitor {
    private var active = 0

    mutating func observe(_ event: TreeEvent) -> String? {
      switch event.kind {
      case .activated: active += 1
      case .deactivated: active -= 1
      default: return nil
      }
      return active > 4 ? "\(active) interactors are active at once." : nil
    }
  }

  @Test func `the home stands, whatever is done to it`() async {
    await TreeFuzzer { await HomeWithSheets.build() }
      .action(FuzzAction("turn the page", with: .drawn(.int(in: 0...9))) { home, page in home.turn(to: page) })
      .action(FuzzAction("open a sheet") { _ = await $0.openSheet() }.when { $0.sheets.isEmpty })
      .invariant("what is open is attached") { $0.children.count == $0.sheets.count }
      .check(executions: 300)
  }

  @Test func `sheets are closed by the actions that hold them`() async {
    typealias Sheet = Router<HomeWithSheets.SheetInteractor>
    let sheets = ValuePool<Sheet>("sheet")
    await TreeFuzzer { await HomeWithSheets.build() }
      .action(FuzzAction("open a sheet", into: sheets) { await $0.openSheet() }.when { $0.sheets.count < 3 })
      .action(FuzzAction("look at", with: .from(sheets)) { _, sheet in _ = await sheet.interactor.isActive })
      .action(FuzzAction("close", with: .taken(from: sheets)) { home, sheet in await home.close(sheet) })
      .invariant("what is open is attached", checked: .atRest) { $0.children.count == $0.sheets.count }
      .check(executions: 300, actions: 1...12, concurrency: 2)
  }

  @Test func `few screens are active`() async {
    await TreeFuzzer { await HomeWithSheets.build() }
      .action(FuzzAction("open a sheet") { _ = await $0.openSheet() }.when { $0.sheets.isEmpty })
      .monitor("active screens") { _ in ActiveScreens() }
      .ignoring(.misuse)
      .check(executions: 300)
  }

  @Test func `the framework keeps its contract`() async {
    await TreeFuzzer.synthetic(nodes: 1...5).check(executions: 100)
  }
}
