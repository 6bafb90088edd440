// SPDX-License-Identifier: Apache-2.0

public import Napkin

/// A node of a synthetic tree, with drawn behavior.
@MainActor
public final class SyntheticRouter: Router<SyntheticInteractor> {
  let number: Int
  let behavior: NodeBehavior.Load

  // Only the root retains the tree, so a released node is deallocated.
  var owned: SyntheticTree?
  weak var tree: SyntheticTree?

  /// A place for one of its children, beside those that are attached without it; with views in every other node.
  private(set) lazy var slot = ChildSlot<SyntheticRouter>(
    of: self, transition: number.isMultiple(of: 2) ? nil : animate)

  init(number: Int, behavior: NodeBehavior) {
    self.number = number
    self.behavior = behavior.load
    super.init(interactor: SyntheticInteractor(number: number, behavior: behavior))
    // The story of a failure speaks of nodes by their numbers, as its actions do.
    LifecycleObservation.rename(self, to: "node \(number)")
    LifecycleObservation.rename(interactor.lifecycle, to: "node \(number)")
  }

  /// Carries out the action that was drawn for the load.
  public override func didLoad() async {
    switch behavior {
    case .nothing: break
    case .suspends: await CurrentExecution.schedulingPoint()
    case .attaches(let child): await tree?.attach(child, under: number)
    case .leaves: await tree?.detach(number)
    }
  }
}

@MainActor private func animate(_ leaving: SyntheticRouter?, _ coming: SyntheticRouter?) async {
  await CurrentExecution.schedulingPoint()
}

/// The interactor of a synthetic node.
public final actor SyntheticInteractor: Interactable {
  /// A real lifecycle: only the callbacks are synthetic.
  public nonisolated let lifecycle = InteractorLifecycle()
  private let number: Int
  private let behavior: NodeBehavior
  private weak var tree: SyntheticTree?
  private var worker: SyntheticWorker?
  private var hasActivatedItself = false
  /// How often it may still attach something by itself: two nodes that attach each other would go on for ever.
  private var attaches = 4

  init(number: Int, behavior: NodeBehavior) {
    self.number = number
    self.behavior = behavior
  }

  func wire(to tree: SyntheticTree) {
    self.tree = tree
    worker = SyntheticWorker(NodeWork(work: behavior.worker, number: number, interactor: self, tree: tree))
  }

  /// Binds the drawn work, and carries out the action that was drawn for an activation.
  public func didBecomeActive() async {
    for work in behavior.work { bind(work) }
    await run(behavior.onActivate)
  }

  /// Carries out the action that was drawn for a resignation.
  public func willResignActive() async { await run(behavior.onResign) }

  /// Binds work to the active scope, as a feature does for the streams that it listens to.
  func bind(_ work: NodeBehavior.Work) {
    if case .worker = work {
      if let worker { start(worker) }
      return
    }
    let work = NodeWork(work: work, number: number, interactor: self, tree: tree)
    task { await work.run() }
  }

  fileprivate func mayAttach() -> Bool {
    attaches -= 1
    return attaches >= 0
  }

  private func run(_ callback: NodeBehavior.Callback) async {
    switch callback {
    case .nothing: break
    case .suspends(let times): for _ in 0..<times { await CurrentExecution.schedulingPoint() }
    case .sleeps: try? await Execution.clock.sleep(for: NodeBehavior.shortDelay)
    case .leaves: await tree?.detach(number)
    case .attaches(let child):
      guard mayAttach() else { return }
      // Not awaited: two callbacks that wait for each other's interactors are outside the contract (L4).
      Task(name: "child of node \(number)") { [weak tree, number] in await tree?.attach(child, under: number) }
    case .dropsChild: await tree?.dropChild(of: number)
    case .redirects(let child): if mayAttach() { await tree?.redirect(number, to: child) }
    case .deactivatesItself: await deactivate()
    case .activatesItself:
      guard !hasActivatedItself else { return }
      hasActivatedItself = true
      await activate()
    case .awaitsItself: try? await lifecycle.whenActive()
    }
  }
}

/// The work of a bound task or a worker, which does not keep its node alive.
private struct NodeWork: Sendable {
  let work: NodeBehavior.Work
  let number: Int
  weak var interactor: SyntheticInteractor?
  weak var tree: SyntheticTree?

  func run() async {
    switch work {
    case .short: await CurrentExecution.schedulingPoint()
    case .sleeps: try? await Execution.clock.sleep(for: NodeBehavior.shortDelay)
    case .listens:
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      for await _ in stream {}
      continuation.finish()
    case .deaf: for _ in 0..<4 { await CurrentExecution.schedulingPoint() }
    case .leaves: await tree?.detach(number)
    case .nests: await interactor?.bind(.listens)
    case .attaches(let child):
      guard await interactor?.mayAttach() == true else { return }
      await tree?.attach(child, under: number)
    case .awaits(let other): try? await tree?.lifecycle(of: other)?.whenActive()
    case .worker: await interactor?.bind(.worker)
    }
  }
}

/// The worker of a synthetic node.
private final class SyntheticWorker: Napkin.Worker {
  private let work: NodeWork

  init(_ work: NodeWork) { self.work = work }

  func run() async { await work.run() }
}
