// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// The code of doc comments, as `ArticleTests` looks it up.
@Suite struct DocCommentSnippets {
  actor Counter {
    private(set) var value = 0
    func increment() { value += 1 }
  }

  @Test(.interleavings(1_000)) func `two increments count twice`() async {
    let counter = Counter()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
    #expect(await counter.value == 2)
  }

  @Test func `an explorer returns what it found`() async {
    let result = await Explorer(executions: 10_000, strategy: .pct(depth: 3), seed: 42).run {
      let counter = Counter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      #expect(await counter.value == 2)
    }
    #expect(result.failure == nil)
  }

  @Test func `an exploration stands in a test`() async {
    await explore(executions: 10_000) {
      let counter = Counter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      #expect(await counter.value == 2)
    }
  }

  @Test func `data is drawn in many ways`() async {
    await explore(executions: 200) {
      let count = Execution.draw(.int(in: 1...5), "taps")
      let port = Execution.draw(.int(in: 1...65_535))
      let (name, age) = Execution.draw(.zip(.string(count: 1...10), .int(in: 0...120)))
      let numbers = Execution.draw(.array(of: .int(in: 0...1_000), count: 0...20))
      let vowel = Execution.draw(.element(of: "aeiou"))
      let delay = Execution.draw(.frequency((9, .just(Duration.zero)), (1, .duration(in: .zero ... .seconds(5)))))
      #expect(count <= 5 && port > 0 && !name.isEmpty && age <= 120 && numbers.count <= 20)
      #expect("aeiou".contains(vowel) && delay <= .seconds(5))
      try await Execution.clock.sleep(for: .seconds(5))
    }
  }

  @Test func `generators are made of generators`() async {
    indirect enum Tree {
      case leaf(Int)
      case node(Tree, Tree)
    }
    let tree = Gen<Tree>.recursive(Gen<Int>.int(in: 0...9).map { .leaf($0) }) { part in
      Gen.zip(part, part).map { .node($0, $1) }
    }
    let bounds = Gen<Int>.int(in: 1...100).flatMap { upper in Gen<Int>.int(in: 0...upper).map { ($0, upper) } }
    await explore(executions: 200) {
      _ = Execution.draw(tree)
      let (lower, upper) = Execution.draw(bounds)
      #expect(lower <= upper)
    }
  }

  /// The tree never has more than three screens that are active.
  struct ActiveScreens: TreeMonitor {
    private var active = 0

    mutating func observe(_ event: TreeEvent) -> String? {
      switch event.kind {
      case .activated: active += 1
      case .deactivated: active -= 1
      default: return nil
      }
      return active > 3 ? "\(active) interactors are active at once." : nil
    }
  }

  @Test func `a tree is fuzzed`() async {
    await TreeFuzzer { await RootBuilder(dependency: AppComponent()).build() }
      .action("tap profile") { await $0.interactor.didTapProfile() }
      .action("profile finishes") { await $0.interactor.profileDidFinish() }
      .invariant("at most one profile") { $0.children.count <= 1 }
      .check(executions: 1_000)
  }

  @Test func `a fuzzer draws values, hands them on and leaves rules out`() async {
    await TreeFuzzer { await RootBuilder().build() }.ignoring(.misuse, .release)
      .action(FuzzAction("open", with: .drawn(.int(in: 0...9))) { root, row in await root.interactor.didSelect(row) })
      .monitor("active screens") { _ in ActiveScreens() }
      .check(executions: 100)
    let sheets = ValuePool<SheetRouter>("sheet")
    let fuzzer = TreeFuzzer { await RootBuilder().build() }
      .action(FuzzAction("open a sheet", into: sheets) { root in await root.openSheet() })
      .action(FuzzAction("drag", with: .from(sheets)) { _, sheet in await sheet.interactor.didDrag() })
      .action(FuzzAction("close", with: .taken(from: sheets)) { root, sheet in await root.close(sheet) })
    await fuzzer.check(executions: 100)
  }

  @Test func `an action has an argument, a result, or a precondition`() async {
    let sheets = ValuePool<SheetRouter>("sheet")
    let fuzzer = TreeFuzzer { await RootBuilder().build() }
      .action(FuzzAction("open", with: .drawn(.int(in: 0...9))) { root, row in await root.interactor.didSelect(row) })
      .action(FuzzAction("open a sheet", into: sheets) { root in await root.openSheet() }.when { $0.children.isEmpty })
      .action(FuzzAction("close", with: .taken(from: sheets)) { root, sheet in await root.close(sheet) })
    await fuzzer.check(executions: 100)
  }

  struct AccountModel: SequentialModel {
    enum Command: Sendable {
      case deposit(Int)
      case withdraw(Int)
    }
    var balance = 0

    mutating func apply(_ command: Command) -> Int {
      switch command {
      case .deposit(let amount): balance += amount
      case .withdraw(let amount): if balance >= amount { balance -= amount }
      }
      return balance
    }
  }

  actor Account {
    private var balance = 0

    func deposit(_ amount: Int) -> Int {
      balance += amount
      return balance
    }

    func withdraw(_ amount: Int) -> Int {
      if balance >= amount { balance -= amount }
      return balance
    }
  }

  @Test func `an account is linearizable`() async {
    await checkLinearizable(model: AccountModel(), commands: [.deposit(1), .withdraw(1)]) {
      Account()
    } perform: { account, command in
      switch command {
      case .deposit(let amount): await account.deposit(amount)
      case .withdraw(let amount): await account.withdraw(amount)
      }
    }
  }
}

extension DocCommentSnippets {
  final class AppComponent: Component<any EmptyDependency>, EmptyDependency, @unchecked Sendable {
    init() { super.init(dependency: EmptyComponent()) }
  }

  final actor RootInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private weak var router: RootRouter?
    private(set) var row = 0

    func wire(_ router: RootRouter) { self.router = router }
    func didTapProfile() async { await router?.routeToProfile() }
    func profileDidFinish() async { await router?.routeBackFromProfile() }
    func didSelect(_ row: Int) { self.row = row }
  }

  final actor SheetInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var drags = 0
    func didDrag() { drags += 1 }
  }

  typealias SheetRouter = Router<SheetInteractor>

  final class RootRouter: Router<RootInteractor> {
    private var profile: SheetRouter?

    func routeToProfile() async {
      guard profile == nil else { return }
      let router = Router(interactor: SheetInteractor())
      profile = router
      await attachChild(router)
    }

    func routeBackFromProfile() async {
      guard let router = profile else { return }
      profile = nil
      await detachChild(router)
    }

    func openSheet() async -> SheetRouter {
      let sheet = Router(interactor: SheetInteractor())
      await attachChild(sheet)
      return sheet
    }

    func close(_ sheet: SheetRouter) async { await detachChild(sheet) }
  }

  struct RootBuilder: Sendable {
    var dependency: any EmptyDependency = EmptyComponent()

    @MainActor func build() async -> RootRouter {
      let interactor = RootInteractor()
      let router = RootRouter(interactor: interactor)
      await interactor.wire(router)
      return router
    }
  }
}
