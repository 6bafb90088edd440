// SPDX-License-Identifier: Apache-2.0

public import Napkin

/// A node of a synthetic tree, whose callbacks do what was drawn for them.
@MainActor
public final class SyntheticRouter: Router<SyntheticInteractor> {
  let number: Int
  let temper: Temper.Load

  // The root holds the forest, and nobody below does: a node that is let go of is gone.
  var owned: SyntheticForest?
  weak var forest: SyntheticForest?

  init(number: Int, temper: Temper) {
    self.number = number
    self.temper = temper.load
    super.init(interactor: SyntheticInteractor(number: number, temper: temper))
    // The story of a failure speaks of nodes by their numbers, as its actions do.
    LifecycleObservation.rename(self, to: "node \(number)")
    LifecycleObservation.rename(interactor.lifecycle, to: "node \(number)")
  }

  /// Does what was drawn for the first activation.
  public override func didLoad() async {
    switch temper {
    case .nothing: break
    case .suspends: await CurrentExecution.schedulingPoint()
    case .attaches(let child): await forest?.attach(child, under: number)
    case .leaves: await forest?.detach(number)
    }
  }
}

/// The interactor of a synthetic node.
public final actor SyntheticInteractor: Interactable {
  /// The real thing: what is synthetic is what the callbacks do.
  public nonisolated let lifecycle = InteractorLifecycle()
  private let number: Int
  private let temper: Temper
  private weak var forest: SyntheticForest?
  private var hasActivatedItself = false
  /// How often it may still attach something by itself: two nodes that attach each other would go on for ever.
  private var attaches = 4

  init(number: Int, temper: Temper) {
    self.number = number
    self.temper = temper
  }

  func wire(to forest: SyntheticForest) { self.forest = forest }

  /// Does what was drawn for an activation.
  public func didBecomeActive() async {
    for work in temper.work { bind(work) }
    await run(temper.becoming)
  }

  /// Does what was drawn for a resignation.
  public func willResignActive() async { await run(temper.resigning) }

  /// Binds work to the active scope, as a feature does for what it listens to.
  func bind(_ work: Temper.Work) {
    task { [weak self, weak forest, number] in
      switch work {
      case .short: await CurrentExecution.schedulingPoint()
      case .sleeps: try? await Execution.clock.sleep(for: Temper.aWhile)
      case .listens:
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
      case .deaf: for _ in 0..<4 { await CurrentExecution.schedulingPoint() }
      case .leaves: await forest?.detach(number)
      case .nests: await self?.bind(.listens)
      case .attaches(let child):
        guard await self?.mayAttach() == true else { return }
        await forest?.attach(child, under: number)
      }
    }
  }

  private func mayAttach() -> Bool {
    attaches -= 1
    return attaches >= 0
  }

  private func run(_ callback: Temper.Callback) async {
    switch callback {
    case .nothing: break
    case .suspends(let times): for _ in 0..<times { await CurrentExecution.schedulingPoint() }
    case .sleeps: try? await Execution.clock.sleep(for: Temper.aWhile)
    case .leaves: await forest?.detach(number)
    case .attaches(let child):
      guard mayAttach() else { return }
      // Nobody waits: two callbacks that wait for each other's interactors are outside the promise (L4).
      Task(name: "child of node \(number)") { [weak forest, number] in await forest?.attach(child, under: number) }
    case .dropsChild: await forest?.dropChild(of: number)
    case .deactivatesItself: await deactivate()
    case .activatesItself:
      guard !hasActivatedItself else { return }
      hasActivatedItself = true
      await activate()
    }
  }
}
