// SPDX-License-Identifier: Apache-2.0

// A group of services shuts down from the last to the first: it asks one to end, waits for the next that ends, and takes
// that for the one it has asked. Where another ends by itself in between, the next is asked while one is still at work.
//
// The repair looks which service has ended, and goes on when it is the one that was asked.
extension Case {
  static let serviceEndsOutOfOrder = Case(
    "service-ends-out-of-order", of: "swift-server/swift-service-lifecycle 171", .plain, decides: "run"
  ) {
    let ended = await RunningService.ended(["database", "worker", "server"])
    try expect(ended.last == "database", "the database ends after what needs it: \(ended)")
  }

  /// The second formulation, after the first was seen to pass: there the database is asked after both others have ended in any case.
  static let serviceAskedTooSoon = Case(
    "service-asked-too-soon", of: "swift-server/swift-service-lifecycle 171", .plain, decides: "run"
  ) {
    let ended = await RunningService.ended(["worker", "database", "server"])
    let isLate = ended.firstIndex(of: "server")! < ended.firstIndex(of: "database")!
    try expect(isLate, "the database ends after what needs it: \(ended)")
  }
}

extension RunningService {
  /// The services in the order in which they end, where the worker does so by itself.
  fileprivate static func ended(_ names: [String]) async -> [String] {
    let order = EndedServices()
    let services = names.map { RunningService($0, order) }
    async let finished: Void = services[names.firstIndex(of: "worker")!].finishItself()
    await ServiceGroup(Case.Version.current, services).run()
    await finished
    return await order.names
  }
}

private actor EndedServices {
  private(set) var names: [String] = []
  func append(_ name: String) { names.append(name) }
}

private actor RunningService {
  private let name: String
  private let order: EndedServices
  private var isAsked = false
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ name: String, _ order: EndedServices) {
    self.name = name
    self.order = order
  }

  func run() async {
    if !isAsked { await withCheckedContinuation { waiting = $0 } }
    // What is under way is brought to an end.
    await Task.yield()
    await order.append(name)
  }

  func shutDownGracefully() {
    isAsked = true
    waiting?.resume()
    waiting = nil
  }

  func finishItself() { shutDownGracefully() }
}

private struct ServiceGroup {
  private let version: Case.Version
  private let services: [RunningService]

  init(_ version: Case.Version, _ services: [RunningService]) {
    self.version = version
    self.services = services
  }

  func run() async {
    await withTaskGroup(of: Int.self) { group in
      for (index, service) in services.enumerated() {
        group.addTask {
          await service.run()
          return index
        }
      }
      var ended: Set<Int> = []
      for index in services.indices.reversed() where !ended.contains(index) {
        await services[index].shutDownGracefully()
        repeat {
          guard let next = await group.next() else { return }
          if version == .before { break }
          ended.insert(next)
        } while !ended.contains(index)
      }
    }
  }
}
