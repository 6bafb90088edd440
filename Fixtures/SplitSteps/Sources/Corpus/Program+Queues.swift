// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Meeting

// What orders tasks by dispatch queues.

/// Writes in a block on each of two queues, and waits for both.
private func onQueues(
  _ order: String, race isRace: Bool, _ make: @escaping @Sendable () -> (DispatchQueue, DispatchQueue)
) -> Program {
  Program(order, race: isRace) {
    let plain = Plain()
    let (first, second) = make()
    let group = DispatchGroup()
    for (number, queue) in [first, second].enumerated() {
      queue.async(group: group) {
        if isRace { meet() }
        plain.number = number
      }
    }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
    use(plain.number)
  }
}

extension Program {
  static let queues = [
    onQueues("one serial queue", race: false) {
      let queue = DispatchQueue(label: "serial")
      return (queue, queue)
    },
    onQueues("two serial queues", race: true) { (DispatchQueue(label: "first"), DispatchQueue(label: "second")) },
    onQueues("a concurrent queue", race: true) {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      return (queue, queue)
    },
    onQueues("two queues with one target", race: false) {
      let target = DispatchQueue(label: "target")
      return (DispatchQueue(label: "first", target: target), DispatchQueue(label: "second", target: target))
    },
    onQueues("a queue and its target", race: false) {
      let target = DispatchQueue(label: "target")
      return (DispatchQueue(label: "first", target: target), target)
    },
    onQueues("a concurrent queue with a serial target", race: false) {
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent, target: target)
      return (queue, queue)
    },
    onQueues("two queues with a concurrent target", race: true) {
      let target = DispatchQueue(label: "target", attributes: .concurrent)
      return (DispatchQueue(label: "first", target: target), DispatchQueue(label: "second", target: target))
    },
    onQueues("two queues with the target of a target", race: false) {
      let last = DispatchQueue(label: "last")
      let target = DispatchQueue(label: "target", target: last)
      return (DispatchQueue(label: "first", target: target), DispatchQueue(label: "second", target: last))
    },
    onQueues("two queues that are given one target", race: false) {
      let target = DispatchQueue(label: "target")
      let queues = (
        DispatchQueue(label: "first", attributes: .initiallyInactive),
        DispatchQueue(label: "second", attributes: .initiallyInactive)
      )
      queues.0.setTarget(queue: target)
      queues.1.setTarget(queue: target)
      queues.0.activate()
      queues.1.activate()
      return queues
    },
    Program("a queue that is suspended meanwhile", race: false) {
      let plain = Plain()
      let queue = DispatchQueue(label: "serial")
      queue.suspend()
      queue.async { plain.number = 1 }
      plain.number = 2
      queue.resume()
      queue.sync { use(plain.number) }
    },
    Program("a queue that is resumed too early", race: true) {
      let plain = Plain()
      let queue = DispatchQueue(label: "serial")
      queue.suspend()
      queue.async {
        meet()
        plain.number = 1
      }
      queue.resume()
      meet()
      plain.number = 2
      queue.sync { use(plain.number) }
    },
    Program("a queue that is activated afterwards", race: false) {
      let plain = Plain()
      let queue = DispatchQueue(label: "serial", attributes: .initiallyInactive)
      queue.async { plain.number = 1 }
      plain.number = 2
      queue.activate()
      queue.sync { use(plain.number) }
    },
    Program("sync", race: false) {
      let plain = Plain()
      let queue = DispatchQueue(label: "serial")
      await both({ queue.sync { plain.number = 1 } }, { queue.sync { plain.number = 2 } })
    },
    Program("barrier", race: false) {
      let plain = Plain()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      await both({ queue.sync(flags: .barrier) { plain.number = 1 } }, { queue.sync { use(plain.number) } })
    },
    Program("barriers in a group", race: false) {
      let plain = Plain()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let group = DispatchGroup()
      queue.async(group: group) { use(plain.number) }
      for number in 1...2 { queue.async(group: group, flags: .barrier) { plain.number = number } }
      await withCheckedContinuation { continuation in
        group.notify(queue: queue) { continuation.resume() }
      }
      use(plain.number)
    },
    Program("barriers of a queue of the system", race: true) {
      let plain = Plain()
      let group = DispatchGroup()
      for number in 1...2 {
        group.enter()
        DispatchQueue.global().async(flags: .barrier) {
          meet()
          plain.number = number
          group.leave()
        }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
      }
    },
    Program("sync of a concurrent queue", race: true) {
      let plain = Plain()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      await both({ queue.sync { plain.number = 1 } }, { queue.sync { plain.number = 2 } })
    },
    Program("concurrentPerform, written before and after", race: false) {
      let plain = Plain()
      plain.number = 1
      DispatchQueue.concurrentPerform(iterations: 2) { _ in use(plain.number) }
      plain.number = 2
    },
    Program("concurrentPerform, written inside", race: true) {
      let plain = Plain()
      DispatchQueue.concurrentPerform(iterations: 2) {
        meet()
        plain.number = $0
      }
    },
  ]
}
