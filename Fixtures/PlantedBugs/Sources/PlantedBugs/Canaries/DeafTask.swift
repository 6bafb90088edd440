// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization

/// A scanner whose bound task waits for a permission in a continuation that knows nothing of cancellation: if no user
/// ever answers, the task outlives its scope.
///
/// The fuzzer sees that without being asked.
enum DeafTask {
  class Permissions: @unchecked Sendable {
    fileprivate let waiting = Mutex<[UnsafeContinuation<Bool, Never>]>([])
    required init() {}

    func ask() async -> Bool { false }

    func answer(_ isGranted: Bool) {
      let waiting = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for continuation in waiting { continuation.resume(returning: isGranted) }
    }

    fileprivate func wait() async -> Bool {
      await withUnsafeContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }
  }

  final class Buggy: Permissions, @unchecked Sendable {
    override func ask() async -> Bool { await wait() }
  }

  final class Repaired: Permissions, @unchecked Sendable {
    override func ask() async -> Bool {
      await withTaskCancellationHandler {
        Task.isCancelled ? false : await wait()
      } onCancel: {
        Execution.sometimes("a scanner that waits is closed", waiting.withLock { !$0.isEmpty })
        answer(false)
      }
    }
  }

  final actor ScannerInteractor: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let permissions: Permissions
    private var isScanning = false

    init(permissions: Permissions) { self.permissions = permissions }

    func didBecomeActive() async {
      task { [weak self, permissions] in
        if await permissions.ask() { await self?.scan() }
      }
    }

    private func scan() { isScanning = true }
  }

  final class HomeRouter<Dialog: Permissions>: Router<ScreenInteractor> {
    let permissions = Dialog()
    private var scanner: Router<ScannerInteractor>?

    func toggleScanner() async {
      if let scanner {
        self.scanner = nil
        return await detachChild(scanner)
      }
      let router = Router(interactor: ScannerInteractor(permissions: permissions))
      scanner = router
      await attachChild(router)
    }
  }

  private static func fuzzer<Dialog: Permissions>(_: Dialog.Type) -> TreeFuzzer<HomeRouter<Dialog>> {
    TreeFuzzer { HomeRouter(interactor: ScreenInteractor()) }
      .action("tap scanner") { await $0.toggleScanner() }
      .action("allow") { $0.permissions.answer(true) }
  }

  static let canary = Canary(
    "deaf task", reaching: "a scanner that waits is closed",
    breaks: "L6: a bound task ends with its scope", verdict: "L6 boundTasks: Task 1 of ScannerInteractor",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
