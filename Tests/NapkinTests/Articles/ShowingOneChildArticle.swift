// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

@MainActor final class LibraryRouter: ViewableRouter<LibraryInteractor, any LibraryViewControllable> {
  private let bookBuilder: any BookBuildable
  private lazy var book = ChildSlot<any BookRouting>(of: self) { [viewController] _, book in
    await viewController.show(book?.viewControllable)
  }

  init(
    interactor: LibraryInteractor, viewController: any LibraryViewControllable, bookBuilder: any BookBuildable
  ) {
    self.bookBuilder = bookBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToBook(_ title: String) async {
    await book.show { await bookBuilder.build(title, withListener: interactor) }
  }

  func routeBackFromBook(_ closed: any BookRouting) async { await book.clear(closed) }

  func closeLibrary() async { await book.clear() }
}

extension LibraryRouter {
  /// Opens a book at a page; false if another call has taken the place meanwhile.
  func open(_ title: String, page: Int) async -> Bool {
    let shown = await book.show { await bookBuilder.build(title, withListener: interactor) }
    await shown?.turn(to: page)
    return shown != nil
  }
}

extension LibraryRouter {
  /// Lends a book; where that fails, another book takes the place.
  func routeToLoan(_ title: String) async {
    await book.show {
      do {
        return try await bookBuilder.borrow(title, withListener: interactor)
      } catch {
        return await bookBuilder.build("Not today", withListener: interactor)
      }
    }
  }
}

@MainActor final class ShelfRouter: Router<LibraryInteractor> {
  private lazy var book = ChildSlot<any BookRouting>(of: self) { [weak self] in await self?.change($0, to: $1) }

  private func change(_ leaving: (any BookRouting)?, to coming: (any BookRouting)?) async {
    if leaving != nil { try? await Task.sleep(for: .milliseconds(300)) }
    await coming?.turn(to: 1)
  }
}

final actor LibraryInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

@MainActor protocol LibraryViewControllable: ViewControllable {
  func show(_ book: (any ViewControllable)?) async
}

@MainActor protocol BookRouting: ViewableRouting {
  func turn(to page: Int) async
}

protocol BookBuildable: Buildable {
  @MainActor func build(_ title: String, withListener listener: LibraryInteractor) async -> any BookRouting
  @MainActor func borrow(_ title: String, withListener listener: LibraryInteractor) async throws -> any BookRouting
}

private struct Lent: Error {}

private final class BookRouter: MockViewableRouter, BookRouting {
  private(set) var page = 1
  var title = ""
  func turn(to page: Int) async { self.page = page }
}

private final class BookBuilder: MockBuilder<String, any BookRouting>, BookBuildable, @unchecked Sendable {
  func build(_ title: String, withListener listener: LibraryInteractor) async -> any BookRouting {
    await produce(title)
  }
  func borrow(_ title: String, withListener listener: LibraryInteractor) async throws -> any BookRouting {
    guard title != "Ulysses" else { throw Lent() }
    return await produce(title)
  }
}

private final class LibraryView: MockViewController, LibraryViewControllable {
  private(set) weak var shown: (any ViewControllable)?
  func show(_ book: (any ViewControllable)?) async { shown = book }
}

extension LibraryRouter {
  fileprivate var shownBook: (any Routing)? {
    children.first { ($0 as? any ViewableRouting)?.viewControllable === (viewController as? LibraryView)?.shown }
  }
}

@MainActor private func makeBook(_ title: String) -> BookRouter {
  let book = BookRouter()
  book.title = title
  return book
}

@MainActor private func makeLibrary() async -> LibraryRouter {
  LibraryRouter(
    interactor: LibraryInteractor(), viewController: LibraryView(), bookBuilder: BookBuilder(makeBook))
}

@Suite struct ShowingOneChildArticle {
  @Test func `a book that is closed while it is opened stays closed`() async {
    await TreeFuzzer { await makeLibrary() }
      .action("open") { await $0.routeToBook("Emma") }
      .action("close") { await $0.closeLibrary() }
      .action("go back") { library in
        for case let book as any BookRouting in library.children { await library.routeBackFromBook(book) }
      }
      .action("link") { _ = await $0.open("Persuasion", page: 12) }
      .invariant("one book at most") { $0.children.count <= 1 }
      .invariant("what is attached is shown") { $0.shownBook === $0.children.first }
      .check(executions: 300)
  }

  @MainActor @Test func `a book that cannot be built is replaced by another`() async {
    let library = await makeLibrary()
    await library.routeToLoan("Emma")
    #expect((library.children.first as? BookRouter)?.title == "Emma")
    await library.routeToLoan("Ulysses")
    #expect(library.children.map { ($0 as? BookRouter)?.title } == ["Not today"])
  }

  @MainActor @Test func `a link goes on with the book that it has opened`() async {
    let library = await makeLibrary()
    await library.interactor.activate()
    #expect(await library.open("Emma", page: 12))
    #expect((library.children.first as? BookRouter)?.page == 12)
    for case let book as any BookRouting in library.children { await library.routeBackFromBook(book) }
    #expect(library.children.isEmpty)
    await library.interactor.deactivate()
  }
}
