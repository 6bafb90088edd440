// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A screen that runs its upload in a bound task: when it is closed and opened again, the cancelled upload still writes
/// the page that it was at, beside the one that has begun.
///
/// Started as a worker, it has one run at a time. An invariant counts the collisions.
enum OverlappingRuns {
  final actor Upload: Worker {
    private var isWriting = false
    private var runs = 0
    private(set) var collisions = 0

    func run() async {
      runs += 1
      Execution.sometimes("the upload runs again", runs > 1)
      while !Task.isCancelled {
        if isWriting { collisions += 1 }
        isWriting = true
        await Server.answer()
        isWriting = false
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  protocol Album: Interactable {
    init(upload: Upload)
  }

  final actor Buggy: Album {
    nonisolated let lifecycle = InteractorLifecycle()
    private let upload: Upload
    init(upload: Upload) { self.upload = upload }
    func didBecomeActive() async { task { [upload] in await upload.run() } }
  }

  final actor Repaired: Album {
    nonisolated let lifecycle = InteractorLifecycle()
    private let upload: Upload
    init(upload: Upload) { self.upload = upload }
    func didBecomeActive() async { start(upload) }
  }

  final class HomeRouter<Child: Album>: Router<ScreenInteractor> {
    let upload = Upload()
    private let album: Router<Child>
    private var isOpen = false

    init() {
      album = Router(interactor: Child(upload: upload))
      super.init(interactor: ScreenInteractor())
    }

    func toggle() async {
      isOpen.toggle()
      if isOpen { await attachChild(album) } else { await detachChild(album) }
    }
  }

  private static func fuzzer<Child: Album>(_: Child.Type) -> TreeFuzzer<HomeRouter<Child>> {
    TreeFuzzer { HomeRouter() }
      .action("tap album") { await $0.toggle() }
      .invariant("one upload writes at a time") { await $0.upload.collisions == 0 }
  }

  static let canary = Canary(
    "overlapping runs", reaching: "the upload runs again",
    breaks: "L12: a worker has one run at a time",
    verdict: "Broken at rest: one upload writes at a time",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
