// SPDX-License-Identifier: Apache-2.0

/// The state that a lifecycle needs only during a transition or while it is observed; guarded by the driver's lock.
final class LifecycleExtras {
  struct Stream: Sendable {
    let number: UInt64
    let continuation: AsyncStream<Bool>.Continuation

    func yield(_ isActive: Bool, of lifecycle: InteractorLifecycle) {
      continuation.yield(isActive)
      LifecycleObservation.notify(
        .streamYielded(ObjectIdentifier(lifecycle), stream: number, isActive: isActive))
    }
  }

  struct WeakSlot: Sendable {
    weak var place: SlotPlace?
  }

  var bound: BoundTasks?
  private var streamsByNumber: [UInt64: Stream] = [:]
  private var last: UInt64 = 0
  /// The interactor to call where no router has it, and the closures to call instead; kept until the lifecycle is idle.
  var interactor: (any Interactable)?
  private(set) var didBecomeActive: (@Sendable () async -> Void)?
  private(set) var willResignActive: (@Sendable () async -> Void)?

  /// The slots of the lifecycle's router, which learn of each child that leaves it; some may be gone.
  private(set) var slots: [WeakSlot] = []
  /// With as many, those that are gone are forgotten; twice as many as were left, so that each slot costs the same.
  private var mostSlots = 8

  /// Whether no transition has anything to do here.
  var isIdle: Bool { bound == nil && streamsByNumber.isEmpty }

  /// The open streams, in the order in which they were opened.
  var streams: [Stream] { streamsByNumber.values.sorted { $0.number < $1.number } }

  /// Stores a closure for the next callback of its kind, and returns the one that it replaces.
  func replace(active: Bool, by callback: @escaping @Sendable () async -> Void) -> (@Sendable () async -> Void)? {
    let old = active ? didBecomeActive : willResignActive
    if active { didBecomeActive = callback } else { willResignActive = callback }
    return old
  }

  /// Adds a slot, and returns the others that it has looked at.
  ///
  /// The caller releases them outside the lock, since their owners may have done so meanwhile.
  func add(_ slot: SlotPlace) -> [SlotPlace] {
    var present: [SlotPlace] = []
    if slots.count >= mostSlots {
      present = slots.compactMap { $0.place }
      slots = present.map { WeakSlot(place: $0) }
      mostSlots = max(8, 2 * present.count)
    }
    slots.append(WeakSlot(place: slot))
    return present
  }

  func takeMotion() -> [any Sendable] {
    var taken: [any Sendable] = []
    if let interactor = interactor.take() { taken.append(interactor) }
    if let callback = didBecomeActive.take() { taken.append(callback) }
    if let callback = willResignActive.take() { taken.append(callback) }
    return taken
  }

  func add(_ continuation: AsyncStream<Bool>.Continuation) -> UInt64 {
    last += 1
    streamsByNumber[last] = Stream(number: last, continuation: continuation)
    return last
  }

  func removeStream(_ number: UInt64) { streamsByNumber[number] = nil }
}
