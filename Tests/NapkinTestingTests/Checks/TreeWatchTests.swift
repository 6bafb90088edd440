// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

private final actor LeafInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

private final class Bystander: LifecycleObserver {
  func lifecycle(_ event: LifecycleEvent) {}
}

private struct Stop: Error {}

@Suite struct TreeWatchTests {
  @MainActor private static func live() async throws {
    let root = Router(interactor: LeafInteractor())
    let child = Router(interactor: LeafInteractor())
    await root.interactable.activate()
    await root.attachChild(child)
    throw Stop()
  }

  @Test func `the reported execution says what the napkins did, and shows their tree`() async throws {
    let failure = try #require(await Explorer(executions: 1, strategy: .fifo).run(Self.live).failure)
    let pictures = failure.log.events.indices.map { TreePicture(of: failure.log, after: $0 + 1) }
    let fullest = try #require(
      pictures.max { $0.nodes.count { $0.parent != nil } < $1.nodes.count { $0.parent != nil } })
    #expect(fullest.nodes.count == 2)
    #expect(fullest.nodes.count { $0.parent != nil } == 1)
    #expect(pictures.contains { $0.nodes.count == 2 && $0.nodes.allSatisfy { $0.state == .active } })
    #expect(failure.timeline.contains("LeafInteractor is active"), "\(failure.timeline)")
  }

  @Test func `what other executions and tests do is not in the picture`() async throws {
    // Observed when it is made, so that it emits its events.
    let bystander = Bystander()
    LifecycleObservation.add(bystander)
    defer { LifecycleObservation.remove(bystander) }
    let stranger = await Router(interactor: LeafInteractor())
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo).run {
        await stranger.interactable.activate()
        await stranger.interactable.deactivate()
        throw Stop()
      }.failure)
    #expect(TreePicture(of: failure.log).nodes == [])
    #expect(!failure.timeline.contains("active"), "\(failure.timeline)")
  }
}
