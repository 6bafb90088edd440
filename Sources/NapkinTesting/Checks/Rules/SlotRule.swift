// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// T14: the calls of a slot, its children and its views.
extension RuleCheck {
  static func slots() -> RuleCheck {
    // In the order in which they were first used, so that a report does not depend on addresses.
    var slots: [ObservedSlot] = []
    return RuleCheck(
      .slots,
      observe: { event, tree in
        switch event {
        case .slot(let step):
          if case .called(1, _) = step.kind { slots.removeAll { $0.id == step.slot } }
          let index = slots.firstIndex { $0.id == step.slot } ?? slots.endIndex
          if index == slots.endIndex { slots.append(ObservedSlot(step)) }
          return slots[index].observe(step.kind, tree)
        case .detachRequested(let child, let parent):
          for index in slots.indices where slots[index].parent == parent { slots[index].noteDetach(of: child) }
        case .detached(let child, let parent):
          for index in slots.indices where slots[index].parent == parent {
            slots[index].noteLeaving(of: child, isBack: tree.wantedParent(of: child) == parent)
          }
        case .misuse(let misuse):
          for index in slots.indices { slots[index].noteMisuse(with: misuse.child, tree) }
        case .routerDeinit(let id): slots.removeAll { $0.parent == id }
        default: break
        }
        return nil
      },
      atRest: { tree in slots.flatMap { $0.violationsAtRest(tree) } })
  }
}

/// A slot as its steps show it: the children that are attached for it, and the child that has to be.
private struct ObservedSlot {
  typealias ID = ObservedTree.ID

  let id: ID
  let parent: ID
  private var last = 0
  /// The last call was made inside a callback, for whose child it does not wait.
  private var isLastInside = false
  /// The last call has built its child, or is a `clear()`.
  private var isDecided = false
  /// The call that decides, and its child; nil after a `clear()`.
  private var newest: (call: Int, child: ID)?
  /// It was made inside a callback.
  private var isNewestInside = false
  /// The children that the slot has had attached, and that have not left for good.
  private var attached: [ID] = []
  /// The children that the slot has had attached before they had left, so that they leave to come back.
  private var returning: Set<ID> = []
  /// The children about which nothing was asked since the slot has had them attached.
  private var owned: Set<ID> = []
  /// A router that may not be attached, as a call has found that has not returned.
  private var refused: ID?
  /// The call of an attach that the last call of `show` stands for, from where it has built its child.
  private var attach: ObservedTree.Call?
  /// The last call has returned its child.
  private var isDue = false
  /// The last call has returned, with its child or without.
  private var hasReturned = false
  /// Something else than the slot may have moved its child.
  var isDisturbed = false
  private var hasViews = false
  private var shown: ID?
  private var isChanging = false

  init(_ step: SlotEvent) {
    id = step.slot
    parent = step.parent
  }

  mutating func observe(_ kind: SlotEvent.Kind, _ tree: ObservedTree) -> String? {
    switch kind {
    case .called(let call, let clears):
      (last, isDue, hasReturned, isDecided) = (call, false, false, clears)
      isLastInside = tree.isCallerInside
      if clears { newest = nil }
    case .built(let call, let child):
      guard call == last else { return nil }
      (newest, isNewestInside, isDecided) = ((call, child), isLastInside, true)
      attach = ObservedTree.Call(kind: .attach(to: parent), moment: tree.moment, isInside: tree.isCallerInside)
    case .attaches(let call, let child):
      isDisturbed = false
      if !attached.contains(child) { attached.append(child) }
      if tree.nodes[child]?.parent == parent { returning.insert(child) }
      owned.insert(child)
      if newest?.call == call { return attachedBeside(child, tree) }
      return """
        a slot of \(tree.name(of: parent)) attached \(tree.name(of: child)) for call \(call), though \
        \(newest.map { "\(tree.name(of: $0.child)), of call \($0.call), has taken the place" } ?? "it was cleared").
        """
    case .returned(let call, let isShown): return returned(call, isShown, tree)
    case .cleared(let call):
      guard call == last, !isLastInside, let other = present(beside: nil, tree) else { return nil }
      return """
        clear() of a slot of \(tree.name(of: parent)), call \(call), returned, and \(tree.name(of: other)) has not left.
        """
    case .viewsBegan(let leaving, let coming):
      defer { (hasViews, shown, isChanging) = (true, coming, true) }
      let change = "the views of a slot of \(tree.name(of: parent)) change to \(name(coming, tree))"
      if isChanging { return "\(change) while a change is under way." }
      if leaving != shown { return "\(change) from \(name(leaving, tree)), and show \(name(shown, tree))." }
      if leaving == coming { return "\(change), which they show." }
    case .viewsEnded: isChanging = false
    }
    return nil
  }

  /// A child that the slot has had attached, and that has not left, nor comes back by another way.
  private func present(beside child: ID?, _ tree: ObservedTree) -> ID? {
    attached.first { other in
      other != child && tree.nodes[other]?.parent == parent
        && (owned.contains(other) || tree.wantedParent(of: other) != parent)
    }
  }

  private func attachedBeside(_ child: ID, _ tree: ObservedTree) -> String? {
    guard !isNewestInside, let other = present(beside: child, tree) else { return nil }
    return """
      a slot of \(tree.name(of: parent)) attached \(tree.name(of: child)), and \(tree.name(of: other)) has not left.
      """
  }

  private mutating func returned(_ call: Int, _ isShown: Bool, _ tree: ObservedTree) -> String? {
    let name = "show(_:) of a slot of \(tree.name(of: parent)), call \(call),"
    defer { refused = nil }
    if !isShown, call == last, let child = refused, newest?.call != call, owned.contains(child) {
      return "\(name) reported \(tree.name(of: child)) as attached by another way, and the slot has had it attached."
    }
    if isShown, call != last { return "\(name) returned its child, though call \(last) was made after it." }
    if isShown, let child = newest?.child, let node = tree.nodes[child], let attach, !attach.isInside, !isDisturbed,
      !tree.isDisturbed(attach, at: child), tree.interactors[node.lifecycle].map(tree.isTheTreesOwn) == true,
      let missing = RuleCheck.missing(node, parent, tree)
    {
      return "\(name) returned \(node.name), and \(missing)."
    }
    if !isShown, call == last, !isDisturbed { return "\(name) returned nil, though no later call was made." }
    isDue = isShown
    hasReturned = call == last
    // A child that the parent has refused may stand below it by another way.
    if !isShown, call == last, let newest, newest.call == call {
      owned.remove(newest.child)
      noteLeaving(of: newest.child)
    }
    return nil
  }

  mutating func noteDetach(of child: ID) {
    owned.remove(child)
    guard newest?.child == child else { return }
    isDisturbed = true
    isDue = false
  }

  /// A misuse by the slot changes nothing: its child stands elsewhere, or above its parent.
  mutating func noteMisuse(with child: ID?, _ tree: ObservedTree) {
    isDisturbed = true
    guard let child else { return }
    refused = tree.nodes[child]?.parent == parent ? child : nil
    if refused == nil { noteLeaving(of: child) }
  }

  /// A child that has left is not in the slot, even if something else attaches it again; the slot may have had it.
  mutating func noteLeaving(of child: ID, isBack: Bool = false) {
    if returning.remove(child) != nil, isBack { return }
    attached.removeAll { $0 == child }
    if newest?.child == child { isDue = false }
  }

  func violationsAtRest(_ tree: ObservedTree) -> [String] {
    let slot = "a slot of \(tree.name(of: parent))"
    var found: [String] = []
    // A call that never ends its build decides nothing yet.
    for child in attached where child != newest?.child && isDecided {
      found.append(
        "\(slot) has \(tree.name(of: child)) attached, and \(name(newest?.child, tree)) was shown last.")
    }
    if isDue, let child = newest?.child, tree.nodes[child]?.parent != parent {
      found.append("\(slot) has shown \(tree.name(of: child)) last, and it is not attached.")
    }
    let present = newest.flatMap { tree.nodes[$0.child]?.parent == parent ? $0.child : nil }
    let isCertain = isDue || (hasReturned && present == nil) || (isDecided && newest == nil)
    if hasViews, isCertain, shown != present {
      found.append("\(slot) has \(name(present, tree)), and its views show \(name(shown, tree)).")
    }
    return found
  }

  private func name(_ child: ID?, _ tree: ObservedTree) -> String { child.map(tree.name(of:)) ?? "nothing" }
}
