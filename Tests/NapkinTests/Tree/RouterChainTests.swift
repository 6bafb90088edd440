// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

/// Chains of thousands of routers, each in a process of its own.
///
/// There no exploration of another test takes the main actor between two of their many hops, and a stack that overflows ends no
/// other test. Issues come back to the test.
@Suite struct RouterChainTests {
  @Test(.timeLimit(.minutes(60)))
  func `T12 a chain of thousands is built from outside, detached and released`() async {
    #if os(macOS) || os(Linux)
    await #expect(processExitsWith: .success) { await Chain.buildFromOutside() }
    #else
    await Chain.buildFromOutside()
    #endif
  }

  @Test(.timeLimit(.minutes(60)))
  func `T12 a chain of thousands nests in didLoad, and is dropped while active`() async {
    #if os(macOS) || os(Linux)
    await #expect(processExitsWith: .success) { await Chain.nestInDidLoad() }
    #else
    await Chain.nestInDidLoad()
    #endif
  }

  @Test(.timeLimit(.minutes(60)))
  func `T12 a chain of thousands is built from below`() async {
    #if os(macOS) || os(Linux)
    await #expect(processExitsWith: .success) { await Chain.buildFromBelow() }
    #else
    await Chain.buildFromBelow()
    #endif
  }
}

@MainActor private enum Chain {
  // A nested call needs a larger frame in a debug build, so that this number exceeds any stack there, too.
  #if DEBUG
  static let length = 30_000
  #else
  static let length = 100_000
  #endif

  /// Keeps a reference to its child, as feature routers do.
  private final class Link: Router<PlainInteractor> {
    var child: Link?
    var rest = 0
    init() { super.init(interactor: PlainInteractor()) }

    override func didLoad() async {
      guard rest > 0 else { return }
      let next = Link()
      next.rest = rest - 1
      child = next
      await attachChild(next)
    }
  }

  private static func chain() async -> (top: Link, bottom: Link) {
    let top = Link()
    var bottom = top
    for _ in 1..<length {
      let next = Link()
      bottom.child = next
      await bottom.attachChild(next)
      bottom = next
    }
    return (top, bottom)
  }

  static func buildFromOutside() async {
    let root = Link()
    await root.interactor.activate()
    let bottom = Weak<Link>()
    do {
      let chain = await chain()
      bottom.object = chain.bottom
      await root.attachChild(chain.top)
      await root.detachChild(chain.top)
      #expect(await chain.bottom.interactor.isActive == false)
    }
    for _ in 0..<1_000_000 where bottom.object != nil { await nextJob() }
    #expect(bottom.object == nil)
  }

  static func nestInDidLoad() async {
    let root = Link()
    await root.interactor.activate()
    let lifecycle: InteractorLifecycle
    do {
      let top = Link()
      top.rest = length - 1
      await root.attachChild(top)
      lifecycle = top.interactor.lifecycle
      #expect(lifecycle.isActive)
      await root.detachChild(top)
      await top.interactor.activate()
    }
    for await isActive in lifecycle.isActiveStream where !isActive { break }
  }

  static func buildFromBelow() async {
    var top = Link()
    for _ in 1..<length {
      let next = Link()
      next.child = top
      await next.attachChild(top)
      top = next
    }
    let root = Link()
    await root.interactor.activate()
    await root.attachChild(top)
    #expect(await top.interactor.isActive)
    await root.detachChild(top)
    #expect(await !top.interactor.isActive)
  }

  /// Releases happen on the main actor, one after the other: its other jobs run in between.
  private static func nextJob() async {
    await withUnsafeContinuation { continuation in
      Task { @MainActor in continuation.resume() }
    }
  }
}
