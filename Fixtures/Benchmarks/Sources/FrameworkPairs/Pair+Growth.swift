// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling

extension Pair {
  /// Work on many nodes or streams at once against work on few, each of them.
  ///
  /// A quadratic cost has a ratio of 32. The goal leaves room above what was measured first, 1.2 to 1.7 on a busy machine.
  package static func growth() -> [Pair] {
    Growth.allCases.map { growth in
      Pair(
        "\(growth.rawValue) 32000, against 1000", unit: "one", goal: 2.5, time: .seconds(4),
        subject: { await growth.reading(of: 32_000, times: 1) },
        yardstick: { await growth.reading(of: 1_000, times: 32) })
    }
  }
}

private enum Growth: String, CaseIterable, Sendable {
  case observedReleases = "release leaves under an observer,"
  case oldestFirst = "detach children, the oldest first,"
  case streams = "close streams of one interactor,"
  case ladder = "move the rungs of a ladder,"

  @MainActor
  func reading(of count: Int, times: Int) async -> Reading {
    var sum = Reading(nanoseconds: 0, count: 0)
    for _ in 0..<times {
      let reading = await reading(of: count)
      sum.nanoseconds += reading.nanoseconds
      sum.count += reading.count
    }
    return sum
  }

  @MainActor
  private func reading(of count: Int) async -> Reading {
    switch self {
    case .observedReleases: await releases(count)
    case .oldestFirst: await detaches(count)
    case .streams: await closes(count)
    case .ladder: await moves(count)
    }
  }

  @MainActor
  private func releases(_ count: Int) async -> Reading {
    let observer = TreeObserver()
    var leaves = (0..<count).map { _ in Router(interactor: Plain()) }
    let reading = await Reading.onMain(count) { leaves.removeAll() }
    withExtendedLifetime(observer) {}
    return reading
  }

  @MainActor
  private func detaches(_ count: Int) async -> Reading {
    let parent = Router(interactor: Plain())
    await parent.interactor.activate()
    let children = (0..<count).map { _ in Router(interactor: Plain()) }
    for child in children { await parent.attachChild(child) }
    return await Reading.onMain(count) { for child in children { await parent.detachChild(child) } }
  }

  @MainActor
  private func closes(_ count: Int) async -> Reading {
    let interactor = Plain()
    var streams = (0..<count).map { _ in interactor.isActiveStream }
    let reading = await Reading.onMain(count) { streams.removeAll() }
    withExtendedLifetime(interactor) {}
    return reading
  }

  /// Pairs of routers, of which each is to leave the one above it for the other: so each stands above all later ones in
  /// two ways, until the resignation at the foot ends and all of them move.
  @MainActor
  private func moves(_ count: Int) async -> Reading {
    let foot = Foot()
    var rungs: [[any Routing]] = [[Router(interactor: foot), Router(interactor: Plain())]]
    return await Reading.onMain(count) {
      var moving: [Task<Void, Never>] = []
      for _ in 0..<count / 2 {
        let (above, below) = ([Router(interactor: Plain()), Router(interactor: Plain())], rungs[rungs.count - 1])
        for side in 0..<2 { await above[side].attachChild(below[side]) }
        for side in 0..<2 {
          moving.append(Task.immediate { await above[side].detachChild(below[side]) })
          moving.append(Task.immediate { await above[1 - side].attachChild(below[side]) })
        }
        rungs.append(above)
      }
      // What is looked for above its new parent stands nowhere on the ladder.
      await rungs[0][1].attachChild(Router(interactor: Plain()))
      await foot.finish()
      for task in moving { await task.value }
    }
  }
}

/// An interactor whose resignation takes until `finish()`.
private actor Foot: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let (waits, end) = AsyncStream<Never>.makeStream()

  func willResignActive() async { for await _ in waits {} }
  func finish() { end.finish() }
}
