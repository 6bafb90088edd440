// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The default methods that the types of an execution's interactors keep, as far as calls have shown them.
///
/// A callback that is known to do nothing needs no task, so an answer changes which tasks are ready from then on. A test kit
/// gives each execution answers of its own: every one starts as a new process does, and its choices alone decide its course.
package final class KnownDefaults: Sendable {
  private let methods = Mutex<[ObjectIdentifier: TreeMachine.Defaults]>([:])

  /// Knows nothing yet.
  package init() {}

  subscript(type: ObjectIdentifier) -> TreeMachine.Defaults? { methods.withLock { $0[type] } }

  func note(_ method: TreeMachine.Method, of type: ObjectIdentifier) {
    methods.withLock { $0[type, default: TreeMachine.Defaults()][method] = true }
  }

  /// Sets how the answers of the calling code's execution are found; those of the process hold where it finds none.
  ///
  /// It is called under the lock of all trees, so it must not call the framework.
  package static func setFinder(_ find: @escaping @Sendable () -> KnownDefaults?) {
    TreeDriver.state.withLock { $0.findDefaults = find }
  }
}

extension TreeDriver.State {
  func defaults(of type: any Interactable.Type) -> TreeMachine.Defaults? {
    if let known = findDefaults?() { return known[ObjectIdentifier(type)] }
    return defaults[ObjectIdentifier(type)]
  }

  /// Remembers a default that an interactor's type keeps, which need not be called again.
  mutating func note(_ method: TreeMachine.Method, of type: any Interactable.Type, at node: Node) {
    guard !machine[node].defaults[method] else { return }
    machine[node].defaults[method] = true
    if let known = findDefaults?() { return known.note(method, of: ObjectIdentifier(type)) }
    defaults[ObjectIdentifier(type), default: TreeMachine.Defaults()][method] = true
  }
}
