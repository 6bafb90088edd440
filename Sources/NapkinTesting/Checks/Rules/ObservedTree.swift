// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// The picture that monitors judge by: the napkins that one execution made, as its events describe them.
///
/// It changes with every event, so each napkin is an object, which is not copied for that.
package struct ObservedTree {
  package typealias ID = LifecycleEvent.ID

  /// An interactor, by its lifecycle.
  package final class Interactor {
    package fileprivate(set) var name: String
    package let number: Int
    package var isActive = false
    /// Whether it has ever been active: a parent that never was does not make its children sleep (T7).
    package var wasActive = false
    /// How often `isActive` has changed.
    package var transitions = 0
    package var callback: Callback?
    /// Whether the last callback to complete was `didBecomeActive()`.
    package var hasBecomeActive = false
    /// The bound tasks that were admitted and have not ended.
    package var tasks: [UInt64: BoundTask] = [:]
    package var streams: [UInt64: Stream] = [:]
    /// The calls of `whenActive()` that have not ended.
    package var waits: [UInt64: Wait] = [:]
    package var router: ID?
    /// The interactor itself, once a router was made with it in a simulation.
    package weak var object: (any Interactable)?
    /// Its router has left its parent, or is gone, and has not been attached since: a wait may throw at once.
    var hasLeft = false
    /// The last call, if it was not one of the tree's own.
    package var lastDirectRequest: Call?
    /// Whether any call was not one of the tree's own.
    var wasAskedDirectly = false
    /// The tree called its own method while a direct call was under way: either may be the later one.
    var isAskedByBoth = false
    /// Whether another lifecycle had its identity before, of which an event may still be to come.
    let isIdentityUsedAgain: Bool
    /// Whether the last call asked it to resign and found it at rest, so that this call carries the resignation out.
    package var wasAskedAtRest = false
    /// The calls that were not the tree's own.
    package var calls = Calls()
    /// The visits, by whether they are to activate, whose requests are still to come.
    var visits: [Bool: Int] = [:]
    fileprivate var scope: ID?

    fileprivate init(name: String, number: Int, isIdentityUsedAgain: Bool) {
      self.name = name
      self.number = number
      self.isIdentityUsedAgain = isIdentityUsedAgain
    }
  }

  package enum Callback: String, Sendable {
    case didBecomeActive = "didBecomeActive()"
    case willResignActive = "willResignActive()"
  }

  package struct BoundTask: Sendable {
    package var hasStarted = false
    package var isCancelled = false
    package let site: BindingSite?
    /// The callback of its interactor in which it was bound, or during which other code bound it.
    package let callback: Callback?
    package let worker: BoundWorker?
    /// The number by which the runtime knows the task; nil where it has not begun.
    package var identity: UInt64?
  }

  /// A stream of `isActive` that is being read.
  package struct Stream: Sendable {
    package var last: Bool
    package var yields = 0
    /// How many transitions it owes its consumer nothing for.
    package let earlier: Int
  }

  /// A call of `whenActive()`.
  package struct Wait: Sendable {
    /// Made from inside a callback.
    let isInside: Bool
    /// The interactor was active, with no callback running, at some moment since the call.
    var hasBeenActive: Bool
    /// Its router has left its parent, or is gone, since the call.
    var hasLeft = false
    /// Its router may have left, unseen, since the call: see ``Node/mayLeave``.
    var mayHaveLeft = false
  }

  /// A router, by itself.
  package final class Node {
    package fileprivate(set) var name: String
    package let number: Int
    package let lifecycle: ID
    package var parent: ID?
    package var children: [ID] = []
    package var loads = 0
    package var isLoading = false
    /// Where the calls so far leave it, if each takes effect at once; see ``ObservedTree/call(_:)``.
    var wanted: Place?
    package var calls = Calls()
    /// Whether its parent is gone, so that it leaves as soon as it has resigned, and no event says when.
    var mayLeave = false

    fileprivate init(name: String, number: Int, lifecycle: ID) {
      self.name = name
      self.number = number
      self.lifecycle = lifecycle
    }
  }

  package internal(set) var interactors: [ID: Interactor] = [:]
  package internal(set) var nodes: [ID: Node] = [:]
  /// Bound tasks whose lifecycle is gone, by their scope.
  package internal(set) var orphans: [ID: (name: String, tasks: [UInt64: BoundTask])] = [:]
  /// The holders of the objects that should be released, once they were searched for.
  package var holders: [ID: RetainPathFinder.Holder]?
  /// The leaks at the end, kept since the closures of slots are taken then, to see which objects they hold.
  package var knownLeaks: [Leak]?
  /// The tasks that a function of a router or an interactor has started, and that never end, once they were looked for.
  package var endless: [UnendedTask] = []
  /// The slots whose views are changing, also those of a parent that is gone.
  package internal(set) var changingSlots: Set<ID> = []
  /// Whether events have arrived in the order in which things happened so far.
  ///
  /// Where threads race, or a step was split, an event may be recorded after a later one. Some orders are certain:
  /// events that one task records are in order, and so is an event with all that follows from it; a call is recorded
  /// before it is decided and its return after that, so a call that may have superseded another is always known; routers
  /// join, leave and end on the main actor, in order; and at rest, nothing remains to be recorded. Rules that need more say
  /// so with this.
  package var isExact = true
  /// Whether the caller of the recorded call is inside a callback.
  package var isCallerInside = false
  /// The action of the fuzzer whose caller makes the recorded call.
  var action: ActionInProgress?
  /// The number of events, the recorded one included.
  var eventCount = 0
  var moment = 0
  /// The number of calls of `whenActive()` that have begun and not ended.
  private var waitCount = 0
  private var created = 0
  /// The identities of lifecycles that are released.
  private var released: Set<ID> = []
  private var routerNames: [String: Int] = [:]
  private var interactorNames: [String: Int] = [:]

  package init() {}

  /// The names of the types whose routers and interactors were made, without generic arguments.
  package var types: Set<Substring> {
    Set((Array(routerNames.keys) + Array(interactorNames.keys)).map { $0.prefix { $0 != "<" } })
  }

  /// Brings the picture up to date.
  package mutating func apply(_ event: LifecycleEvent) {
    call(event)
    switch event {
    case .lifecycleCreated(let id, let owner):
      interactors[id] = Interactor(
        name: owner.unique(in: &interactorNames), number: next(), isIdentityUsedAgain: released.contains(id))
    case .activated(let id):
      interactors[id]?.setActive(true)
    case .deactivated(let id): interactors[id]?.setActive(false)
    case .didBecomeActiveBegan(let id): interactors[id]?.callback = .didBecomeActive
    case .willResignActiveBegan(let id): interactors[id]?.callback = .willResignActive
    case .didBecomeActiveEnded(let id):
      interactors[id]?.callback = nil
      interactors[id]?.hasBecomeActive = true
      interactors[id]?.ofWaits { $0.hasBeenActive = true }
    case .willResignActiveEnded(let id):
      interactors[id]?.callback = nil
      interactors[id]?.hasBecomeActive = false
    case .lifecycleDeinit(let id): removeInteractor(id)
    case .activityAwaited(let id, let wait):
      guard let interactor = interactors[id] else { break }
      waitCount += 1
      interactor.waits[wait] = Wait(
        isInside: isCallerInside, hasBeenActive: interactor.isFullyActive,
        mayHaveLeft: interactor.hasLeft || interactor.router.map(mayHaveLeft) ?? false)
    case .activityWaitEnded(let id, let wait, _, _):
      if interactors[id]?.waits.removeValue(forKey: wait) != nil { waitCount -= 1 }
    case .streamOpened(let id, let stream, let isActive): interactors[id]?.open(stream, isActive)
    case .streamYielded(let id, let stream, let isActive):
      interactors[id]?.streams[stream]?.last = isActive
      interactors[id]?.streams[stream]?.yields += 1
    case .streamClosed(let id, let stream): interactors[id]?.streams[stream] = nil
    case .taskRegistered(let id, let task, let scope, let site, let worker):
      interactors[id]?.bind(task, scope, site, worker)
    case .taskStarted(let id, let task): interactors[id]?.tasks[task]?.hasStarted = true
    case .taskCancelled(let id, let task): interactors[id]?.tasks[task]?.isCancelled = true
    case .taskFinished(let id, let task): interactors[id]?.tasks[task] = nil
    case .orphanFinished(let scope, let task): orphans[scope]?.tasks[task] = nil
    case .routerCreated(let id, let name, let lifecycle):
      nodes[id] = Node(name: name.unique(in: &routerNames), number: next(), lifecycle: lifecycle)
      interactors[lifecycle]?.router = id
      interactors[lifecycle]?.hasLeft = false
    case .renamed(let id, let name):
      if interactors[id] != nil { interactors[id]?.name = name.unique(in: &interactorNames) }
      if nodes[id] != nil { nodes[id]?.name = name.unique(in: &routerNames) }
    case .routerDeinit(let id): remove(id)
    case .loadBegan(let id):
      nodes[id]?.loads += 1
      nodes[id]?.isLoading = true
    case .loadEnded(let id): nodes[id]?.isLoading = false
    case .attached(let child, let parent):
      nodes[child]?.parent = parent
      nodes[child]?.mayLeave = false
      interactor(ofRouter: child)?.hasLeft = false
      nodes[parent]?.children.append(child)
      if waitCount > 0, mayHaveLeft(parent) { noteThatMayHaveLeft(child) }
    case .detached(let child, let parent):
      noteSupersession(of: child, leaving: parent)
      if nodes[child]?.parent == parent { nodes[child]?.parent = nil }
      nodes[parent]?.children.removeAll { $0 == child }
      // A child that moves has a place to become active at.
      if wantedParent(of: child) == nil {
        interactor(ofRouter: child)?.leaves()
        noteThatMayHaveLeft(child)
      }
    case .passedOver(let id): interactor(ofRouter: id)?.leaves()
    case .slot(let step):
      switch step.kind {
      case .viewsBegan: changingSlots.insert(step.slot)
      case .viewsEnded: changingSlots.remove(step.slot)
      default: break
      }
    case .taskRefused, .attachRequested, .attachReturned, .detachRequested, .detachReturned, .requested,
      .requestReturned, .visited, .misuse:
      break
    }
  }

  /// A child that leaves was below its parent so far: a call about an ancestor may have come after its own.
  private mutating func noteSupersession(of child: ID, leaving parent: ID) {
    guard let lifecycle = nodes[child]?.lifecycle, let call = interactors[lifecycle]?.lastDirectRequest,
      isDisturbed(call, at: parent)
    else { return }
    interactors[lifecycle]?.lastDirectRequest = nil
    interactors[lifecycle]?.isAskedByBoth = true
  }

  private mutating func remove(_ id: ID) {
    guard let node = nodes.removeValue(forKey: id) else { return }
    let now = nextMoment()
    interactors[node.lifecycle]?.leaves()
    if let parent = node.parent { nodes[parent]?.children.removeAll { $0 == id } }
    for child in node.children where nodes[child]?.parent == id {
      nodes[child]?.parent = nil
      nodes[child]?.mayLeave = true
      noteThatMayHaveLeft(child)
      if nodes[child]?.wanted?.id == id { nodes[child]?.wanted = nil }
      // The subtree resigns in a task that no call waits for.
      nodes[child]?.calls.becomeUntracked(at: now)
    }
    interactors[node.lifecycle]?.router = nil
    // Its interactor resigns, too, which no call waits for (T10), and which supersedes its last direct request.
    interactors[node.lifecycle]?.calls.becomeUntracked(at: now)
    interactors[node.lifecycle]?.lastDirectRequest = nil
  }

  /// Whether a router, or one above it, may have left its place.
  private func mayHaveLeft(_ id: ID) -> Bool {
    !chain(from: id) { node in !node.mayLeave && interactors[node.lifecycle]?.hasLeft != true }
  }

  /// The waits for a router and for its descendants may end: it has left its place, or one above it has.
  private func noteThatMayHaveLeft(_ id: ID) {
    guard waitCount > 0 else { return }
    for id in subtree(of: id) { interactor(ofRouter: id)?.ofWaits { $0.mayHaveLeft = true } }
  }

  private mutating func removeInteractor(_ id: ID) {
    released.insert(id)
    guard let interactor = interactors.removeValue(forKey: id), let scope = interactor.scope else { return }
    // Where threads race, the end of a task may be recorded under the identity of an object that is released by now.
    guard isExact else { return }
    let tasks = interactor.tasks.filter(\.value.hasStarted)
    orphans[scope] = tasks.isEmpty ? nil : (interactor.name, tasks)
  }

  private mutating func next() -> Int {
    created += 1
    return created
  }
}

extension String {
  /// The name, with a number behind it from the second of that name on.
  fileprivate func unique(in counts: inout [String: Int]) -> String {
    counts[self, default: 0] += 1
    let count = counts[self, default: 1]
    return count == 1 ? self : "\(self) #\(count)"
  }
}

extension ObservedTree.Interactor {
  /// The state that the last direct call asked for; nil if the last call was the tree's own.
  package var directlyRequestedState: Bool? { lastDirectRequest.map { $0.kind == .activate } }

  /// Active, with no callback running.
  var isFullyActive: Bool { isActive && hasBecomeActive && callback == nil }

  fileprivate func leaves() {
    hasLeft = true
    ofWaits { $0.hasLeft = true }
  }

  fileprivate func ofWaits(_ note: (inout ObservedTree.Wait) -> Void) {
    for number in waits.keys { note(&waits[number]!) }
  }

  fileprivate func setActive(_ isActive: Bool) {
    self.isActive = isActive
    if isActive { wasActive = true }
    transitions += 1
  }

  fileprivate func bind(_ task: UInt64, _ scope: ObservedTree.ID, _ site: BindingSite?, _ worker: BoundWorker?) {
    tasks[task] = ObservedTree.BoundTask(site: site, callback: callback, worker: worker)
    self.scope = scope
  }

  fileprivate func open(_ stream: UInt64, _ isActive: Bool) {
    // A transition that is decided and not recorded yet has its value in the stream already.
    let earlier = transitions + (isActive == self.isActive ? 0 : 1)
    streams[stream] = ObservedTree.Stream(last: isActive, earlier: earlier)
  }
}
