// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling

extension Pair {
  /// A look-up of a `shared` instance against a property that is read and nothing more.
  package static func shared() -> [Pair] {
    let component = BenchedComponent()
    return [
      Pair(
        "`shared`, looked up", unit: "look-up", nanoseconds: 200, time: .seconds(1),
        subject: {
          await Reading.onMain(batch) { for _ in 0..<batch { Desk.note(component.service.number) } }
        },
        yardstick: {
          await Reading.onMain(batch) { for _ in 0..<batch { Desk.note(component.ordinary.number) } }
        }
      )
    ]
  }

  private static var batch: Int { 10_000 }
}

private final class Service: Sendable {
  let number = 1
}

private nonisolated final class BenchedComponent: Component<any EmptyDependency>, @unchecked Sendable {
  private let stored = Service()

  var service: Service { shared { Service() } }

  var ordinary: Service {
    @inline(never) get { stored }
  }
}
