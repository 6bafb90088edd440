// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

nonisolated protocol UploadQueue: Sendable {
  func waiting() -> AsyncStream<String>
  func upload(_ name: String) async throws
}

protocol UploadsListener: AnyObject, Sendable {
  func uploadsDidFail(at name: String) async
}

final actor UploadsInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let queue: any UploadQueue
  private weak var listener: (any UploadsListener)?

  init(queue: any UploadQueue, listener: any UploadsListener) {
    self.queue = queue
    self.listener = listener
  }

  func didBecomeActive() async {
    task { [queue, weak listener] in
      for await name in queue.waiting() {
        do {
          try await queue.upload(name)
        } catch is CancellationError {
          return
        } catch {
          await listener?.uploadsDidFail(at: name)
        }
      }
    }
  }
}

protocol UploadsBuildable: Buildable {
  @MainActor func build(withListener listener: any UploadsListener) async -> any Routing
}

@MainActor final class AccountRouter: Router<AccountInteractor> {
  private let uploadsBuilder: any UploadsBuildable

  init(interactor: AccountInteractor, uploadsBuilder: any UploadsBuildable) {
    self.uploadsBuilder = uploadsBuilder
    super.init(interactor: interactor)
  }

  override func didLoad() async {
    await super.didLoad()
    await attachChild(await uploadsBuilder.build(withListener: interactor))
  }
}

final actor AccountInteractor: Interactable, UploadsListener {
  nonisolated let lifecycle = InteractorLifecycle()
  private(set) var failures: [String] = []
  func uploadsDidFail(at name: String) async { failures.append(name) }
}

@MainActor protocol OnboardingStage: AnyObject {
  func show(_ view: (any ViewControllable)?)
}

protocol OnboardingDependency: Dependency {
  var onboardingStage: any OnboardingStage { get }
}

@MainActor protocol OnboardingRouting: Routing {
  /// Takes away what is shown of this napkin, for good; the parent awaits it before it detaches.
  func clearStage() async
}

@MainActor final class OnboardingRouter: Router<OnboardingInteractor>, OnboardingRouting {
  private let stage: any OnboardingStage
  private var isOver = false
  private lazy var step = ChildSlot<any ViewableRouting>(of: self) { [stage] _, step in
    stage.show(step?.viewControllable)
  }

  init(interactor: OnboardingInteractor, stage: any OnboardingStage) {
    self.stage = stage
    super.init(interactor: interactor)
  }

  func routeToStep(_ next: any ViewableRouting) async {
    guard !isOver else { return }
    await step.show { next }
  }

  func clearStage() async {
    isOver = true
    await step.clear()
  }
}

final actor OnboardingInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

private struct QueueMock: UploadQueue {
  let ended = Recorder<String>()
  let names: [String]
  func waiting() -> AsyncStream<String> {
    AsyncStream { continuation in
      for name in names { continuation.yield(name) }
    }
  }
  func upload(_ name: String) async throws {
    try await Execution.clock.sleep(for: .seconds(1))
    ended.record(name)
    if name == "broken" { throw Broken() }
  }
  struct Broken: Error {}
}

private final class UploadsBuilder: UploadsBuildable {
  let queue: QueueMock
  init(queue: QueueMock) { self.queue = queue }
  @MainActor func build(withListener listener: any UploadsListener) async -> any Routing {
    Router(interactor: UploadsInteractor(queue: queue, listener: listener))
  }
}

@MainActor private final class StageMock: OnboardingStage {
  private(set) var shown: (any ViewControllable)?
  func show(_ view: (any ViewControllable)?) { shown = view }
}

@MainActor @Suite struct HeadlessNapkinsArticle {
  @Test(.interleavings(300, seed: 1)) func `uploads go on while the account is there, and a failure goes up`() async {
    let queue = QueueMock(names: ["one", "broken", "two"])
    let router = AccountRouter(interactor: AccountInteractor(), uploadsBuilder: UploadsBuilder(queue: queue))
    await router.interactor.activate()
    await router.load()
    _ = await queue.ended.events(atLeast: 3)
    #expect(await router.interactor.failures == ["broken"])
    await router.interactor.deactivate()
  }

  @Test func `a step is shown on the stage, and cleared`() async {
    let stage = StageMock()
    let router = OnboardingRouter(interactor: OnboardingInteractor(), stage: stage)
    await router.interactor.activate()
    let steps = (0..<2).map { _ in
      ViewableRouter<MockInteractor, MockViewController>(
        interactor: MockInteractor(), viewController: MockViewController())
    }
    for step in steps {
      await router.routeToStep(step)
      #expect(stage.shown === step.viewControllable && router.children.count == 1)
    }
    await router.clearStage()
    #expect(stage.shown == nil)
    await router.interactor.deactivate()
  }

  @Test func `an onboarding that ends leaves nothing on the stage, whatever is on its way`() async {
    await explore(executions: 1_000, seed: 1) { @MainActor in
      let (stage, root) = (StageMock(), Router(interactor: MockInteractor()))
      await root.interactor.activate()
      let router = OnboardingRouter(interactor: OnboardingInteractor(), stage: stage)
      await root.attachChild(router)
      let routing = Task {
        for _ in 0..<2 {
          await router.routeToStep(
            ViewableRouter<MockInteractor, MockViewController>(
              interactor: MockInteractor(), viewController: MockViewController()))
        }
      }
      await router.clearStage()
      await root.detachChild(router)
      #expect(stage.shown == nil)
      await routing.value
      #expect(stage.shown == nil)
      #expect(router.children.isEmpty)
    }
  }
}
