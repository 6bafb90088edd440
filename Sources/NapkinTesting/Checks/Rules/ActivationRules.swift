// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import NapkinTestingCRuntime

/// L1 to L3: the callbacks of an interactor, and the calls that ask for them.
extension RuleCheck {
  static var alternation: RuleCheck {
    RuleCheck(.alternation) { event, tree in
      switch event {
      case .didBecomeActiveBegan(let id): begins(.didBecomeActive, id, tree)
      case .willResignActiveBegan(let id): begins(.willResignActive, id, tree)
      default: nil
      }
    }
  }

  private static func begins(
    _ callback: ObservedTree.Callback, _ id: ObservedTree.ID, _ tree: ObservedTree
  ) -> String? {
    guard let interactor = tree.interactors[id] else { return nil }
    if let running = interactor.callback {
      return "\(callback.rawValue) of \(interactor.name) began while \(running.rawValue) was still running."
    }
    if interactor.hasBecomeActive == (callback == .didBecomeActive) {
      return
        "\(callback.rawValue) of \(interactor.name) was called \(interactor.hasBecomeActive ? "twice in a row" : "before didBecomeActive()")."
    }
    if !interactor.isActive {
      return "\(callback.rawValue) of \(interactor.name) began while isActive was false."
    }
    return nil
  }

  /// A call from inside a callback promises nothing, and one that another call may have superseded is left out.
  static var activationReturn: RuleCheck {
    RuleCheck(
      .activationReturn,
      observe: { event, tree in
        guard case .requestReturned(let id, let active) = event, let interactor = tree.interactors[id],
          let call = interactor.calls.returning(active ? .activate : .deactivate), !call.isInside,
          !isDisturbed(call, interactor, tree)
        else { return nil }
        let name = "\(active ? "activate" : "deactivate")() of \(interactor.name)"
        if let callback = interactor.callback {
          return "\(name) returned while \(callback.rawValue) was still running."
        }
        if interactor.isActive != active { return "\(name) returned, and it is \(active ? "inactive" : "active")." }
        return active
          ? nil : activeBelow(interactor, call, tree).map { "\(name) returned, and \($0.name) below it is active." }
      },
      atRest: { tree in
        // Not certain: the last call that was recorded need not be the last that was decided.
        if !tree.isExact { return [] }
        return tree.ofInteractors { interactor in
          guard let call = interactor.lastDirectRequest, let wanted = interactor.directlyRequestedState,
            wanted != interactor.isActive,
            interactor.router.map({ tree.isDisturbed(call, at: $0) }) != true,
            // A parent that is gone may deactivate its interactor and all below that has not left it.
            interactor.router.map({ tree.chain(from: $0) { !$0.mayLeave } }) != false
          else { return [] }
          let name = "\(wanted ? "activate" : "deactivate")()"
          return ["\(name) was the last call about \(interactor.name), and it is \(wanted ? "inactive" : "active")."]
        }
      })
  }

  private static func isDisturbed(
    _ call: ObservedTree.Call, _ interactor: ObservedTree.Interactor, _ tree: ObservedTree
  ) -> Bool {
    interactor.calls.disturb(call) || interactor.router.map { tree.isDisturbed(call, at: $0) } == true
  }

  private static func activeBelow(
    _ interactor: ObservedTree.Interactor, _ call: ObservedTree.Call, _ tree: ObservedTree
  ) -> ObservedTree.Interactor? {
    // An interactor that never was active has no inactive subtree that could become active with it (T7).
    guard let router = interactor.router, interactor.wasActive else { return nil }
    return tree.isDisturbed(call, within: tree.subtree(of: router)) ? nil : tree.firstActive(below: router)
  }

  static var completion: RuleCheck {
    RuleCheck(
      .completion,
      atRest: { tree in
        tree.ofInteractors { interactor in
          guard let callback = interactor.callback else { return [] }
          return [
            "\(callback.rawValue) of \(interactor.name) has not returned, and no task is left that could resume it."
          ]
        }
      })
  }
}

/// L11: calls of `whenActive()`.
extension RuleCheck {
  static var activityWait: RuleCheck {
    RuleCheck(
      .activityWait,
      observe: { event, tree in
        guard case .activityWaitEnded(let id, let number, let isActive, let isCancelled) = event,
          let interactor = tree.interactors[id], let wait = interactor.waits[number]
        else { return nil }
        if isActive {
          if wait.hasBeenActive || (wait.isInside && interactor.isActive) { return nil }
          return "whenActive() of \(interactor.name) returned, and it has not been active since the call."
        }
        if isCancelled || wait.hasLeft || wait.mayHaveLeft || wait.isInside { return nil }
        // On threads it may throw before its leaving is recorded.
        if !tree.isExact, interactor.router.flatMap(tree.wantedParent) == nil { return nil }
        return
          "whenActive() of \(interactor.name) threw, though its task is not cancelled and its router is in its place."
      },
      atRest: { tree in
        tree.ofInteractors { interactor in
          if interactor.waits.isEmpty { return [] }
          if interactor.isFullyActive {
            return ["whenActive() of \(interactor.name) has not returned, and it is active."]
          }
          // Not certain: the call may have come after its router had left, which is recorded late.
          guard tree.isExact else { return [] }
          if interactor.waits.values.contains(where: \.hasLeft) {
            return ["whenActive() of \(interactor.name) has not thrown, and its router has left its place."]
          }
          guard let router = interactor.router, tree.hasLeftAtRest(router) else { return [] }
          return ["whenActive() of \(interactor.name) has not thrown, and a router above it has left its place."]
        }
      })
  }
}

/// L1: what an interactor presents, or reports to its listener, when it has resigned; as far as doubles record it.
struct LateOutput {
  /// The end of an activation: a call was certainly made after it where the tree has come to rest since, or a second of
  /// virtual time has passed, in which no task was ready and so no call was on its way.
  private struct End {
    let time = Self.now
    let rests: Int
    func isPast(_ rests: Int) -> Bool { rests > self.rests || Self.now - time >= 1_000_000_000 }
    // Outside an exploration no virtual time passes.
    private static var now: Int64 { napkin_is_exploring_thread() ? napkin_time() : 0 }
  }

  /// A bound task of an activation that has ended; it may outlive its interactor.
  private struct Leftover {
    let name: String
    let end: End
    let interactor: Int
    weak var listener: AnyObject?
    weak var presenter: AnyObject?
  }

  /// How often the tree has come to rest.
  var rests = 0
  private var ends: [ObservedTree.ID: End] = [:]
  private var leftovers: [UInt64: Leftover] = [:]
  /// How many interactors have had a presenter.
  private var uses: [ObjectIdentifier: Int] = [:]

  /// Looks at an event, and at the interactor where it is that of a router which is made.
  mutating func observe(_ event: LifecycleEvent, _ tree: ObservedTree, _ made: (any Interactable)?) {
    switch event {
    case .routerCreated:
      if let presenter = made.flatMap(Self.presenter) { uses[ObjectIdentifier(presenter), default: 0] += 1 }
    case .activated(let id), .lifecycleDeinit(let id): ends[id] = nil
    case .deactivated(let id):
      let end = End(rests: rests)
      ends[id] = end
      guard let own = tree.interactors[id], !own.tasks.isEmpty, let object = own.object else { break }
      let listener = WeakProperties.value(of: "listener", in: object).flatMap(Self.object)
      for (number, task) in own.tasks where task.identity != nil {
        leftovers[task.identity!] = Leftover(
          name: "\(own.name) by its task \(number)", end: end, interactor: own.number, listener: listener,
          presenter: Self.presenter(of: object))
      }
    default: break
    }
  }

  /// Judges a call that a task makes, and that a recorder is to record.
  func judge(_ call: () -> String, of recorder: ObjectIdentifier, by task: UInt64, _ tree: ObservedTree) -> String? {
    guard tree.isExact else { return nil }
    if let task = leftovers[task], task.end.isPast(rests) {
      if let listener = task.listener, !(listener is any Actor), Self.isRecorded(listener, by: recorder) {
        return "\"\(call())\" was called on the listener of \(task.name) when willResignActive() had returned."
      }
      let hasRouter = tree.interactors.contains { $0.value.number == task.interactor && $0.value.router != nil }
      if !hasRouter, let presenter = task.presenter, Self.isRecorded(presenter, by: recorder) {
        return "\"\(call())\" was called on the presenter of \(task.name) when its router had been released."
      }
    }
    for (id, end) in ends where end.isPast(rests) {
      // One whose router is still to be made may have the same presenter.
      guard let own = tree.interactors[id], own.router == nil, let object = own.object,
        let presenter = Self.presenter(of: object), uses[ObjectIdentifier(presenter)] == 1,
        Self.isRecorded(presenter, by: recorder),
        !tree.interactors.contains(where: { $0.value.router == nil && $0.value.object == nil })
      else { continue }
      return "\"\(call())\" was called on the presenter of \(own.name) when its router had been released."
    }
    return nil
  }

  /// The presenter; nil for a view controller, since routers call it, too.
  private static func presenter(of interactor: any Interactable) -> AnyObject? {
    let presenter = (interactor as? any PresentableInteractable).flatMap { object($0.presenter) }
    return presenter is any ViewControllable ? nil : presenter
  }

  private static func object(_ value: Any) -> AnyObject? {
    if type(of: value) is AnyClass { return value as AnyObject }
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first.flatMap { object($0.value) } : nil
  }

  /// Whether a double has a recorder, itself or in a stub.
  private static func isRecorded(_ double: AnyObject, by recorder: ObjectIdentifier) -> Bool {
    func id(_ recording: some Recording) -> ObjectIdentifier { ObjectIdentifier(recording.recorder) }
    var properties = WeakProperties()
    let parts = properties.strongChildren(of: Mirror(reflecting: double), most: 100).map(\.child.value)
    return ([double] + parts).contains { ($0 as? any Recording).map { id($0) } == recorder }
  }
}
