// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

@MainActor protocol InvoiceRouting: Routing {
  func routeToInvoice(_ number: Int) async
}

@MainActor protocol AccountRouting: Routing {
  /// The account of the present user; it does not wait for a login.
  var account: (any InvoiceRouting)? { get }
  func routeToLogin() async
}

struct NoAccount: Error {}

@MainActor func openInvoice(_ number: Int, from root: any AccountRouting) async throws {
  try await root.interactable.lifecycle.whenActive()
  guard let account = root.account else {
    await root.routeToLogin()
    throw NoAccount()
  }
  try await account.interactable.lifecycle.whenActive()
  // The account was active a moment ago: look again before acting.
  guard root.account === account else { throw CancellationError() }
  await account.routeToInvoice(number)
}

@MainActor final class Links {
  private let root: any AccountRouting
  private var present: Task<Void, any Error>?

  init(root: any AccountRouting) { self.root = root }

  func open(_ number: Int) async throws {
    present?.cancel()
    let task = Task { try await openInvoice(number, from: root) }
    present = task
    try await task.value
  }
}

private final actor PlainScreen: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  func didBecomeActive() async { await Task.yield() }
}

@MainActor private final class LedgerRouter: Router<PlainScreen>, InvoiceRouting {
  private(set) var invoices: [Int] = []
  func routeToInvoice(_ number: Int) async { invoices.append(number) }
}

@MainActor private final class RootRouter: Router<PlainScreen>, AccountRouting {
  private(set) var account: (any InvoiceRouting)?
  private(set) var logins = 0

  func routeToLogin() async { logins += 1 }

  func logIn() async {
    guard account == nil else { return }
    let router = LedgerRouter(interactor: PlainScreen())
    account = router
    await attachChild(router)
  }

  func logOut() async {
    guard let account else { return }
    self.account = nil
    await detachChild(account)
  }
}

@MainActor @Suite struct WorkflowsArticle {
  private func makeRoot() -> RootRouter { RootRouter(interactor: PlainScreen()) }

  @Test(.interleavings(500, seed: 1)) func `a link waits for what it needs, and ends with it`() async {
    let root = makeRoot()
    await root.interactor.activate()
    let login = Task { await root.logIn() }
    let logout = Task { await root.logOut() }
    let account = Task {
      do { try await openInvoice(7, from: root) } catch { #expect(error is CancellationError || error is NoAccount) }
    }
    for task in [login, logout, account] { await task.value }
    await root.interactor.deactivate()
  }

  @Test func `a link for the account that is there opens the invoice`() async throws {
    let root = makeRoot()
    await root.interactor.activate()
    await root.logIn()
    let account = try #require(root.account as? LedgerRouter)
    try await openInvoice(7, from: root)
    #expect(account.invoices == [7])
    await root.interactor.deactivate()
  }

  @Test func `a link without an account asks for the login`() async {
    let root = makeRoot()
    await root.interactor.activate()
    await #expect(throws: NoAccount.self) { try await openInvoice(7, from: root) }
    #expect(root.logins == 1)
    await root.interactor.deactivate()
  }

  @Test func `the newest link takes the place of the one before`() async throws {
    let root = makeRoot()
    let links = Links(root: root)
    let first = Task.immediate { try await links.open(1) }
    let second = Task.immediate { try await links.open(2) }
    await #expect(throws: CancellationError.self) { try await first.value }
    await root.interactor.activate()
    await #expect(throws: NoAccount.self) { try await second.value }
    await root.interactor.deactivate()
  }

  @Test func `a fuzzed tree ends each link`() async {
    await TreeFuzzer { RootRouter(interactor: PlainScreen()) }
      .action("log in", weight: 2) { await $0.logIn() }
      .action("log out") { await $0.logOut() }
      .action("open a link", weight: 2) { root in try? await openInvoice(7, from: root) }
      .check(executions: 300, seed: 1)
  }
}
