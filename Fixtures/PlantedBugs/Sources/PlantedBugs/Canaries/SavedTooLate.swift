// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting

/// A note whose draft is saved by a bound task when its screen goes: the scope ends right after, and the task is
/// cancelled before it has begun.
///
/// An invariant misses the draft.
enum SavedTooLate {
  final actor Drafts {
    private(set) var saved = 0
    func save() async {
      await Server.answer()
      saved += 1
    }
  }

  protocol Note: Interactable { init(drafts: Drafts) }

  final actor Buggy: Note {
    nonisolated let lifecycle = InteractorLifecycle()
    private let drafts: Drafts
    init(drafts: Drafts) { self.drafts = drafts }

    func willResignActive() async {
      task { [drafts] in await drafts.save() }
    }
  }

  final actor Repaired: Note {
    nonisolated let lifecycle = InteractorLifecycle()
    private let drafts: Drafts
    init(drafts: Drafts) { self.drafts = drafts }

    func willResignActive() async {
      await drafts.save()
      Execution.sometimes("a draft is saved when its screen goes", true)
    }
  }

  final class NotesRouter<Child: Note>: Router<ScreenInteractor> {
    let drafts = Drafts()
    private(set) var written = 0
    private var note: Router<Child>?

    func openNote() async {
      guard note == nil else { return }
      let router = Router(interactor: Child(drafts: drafts))
      note = router
      await attachChild(router)
    }

    func closeNote() async {
      guard let note, await note.interactor.isActive, self.note === note else { return }
      self.note = nil
      written += 1
      await detachChild(note)
    }
  }

  private static func fuzzer<Child: Note>(_: Child.Type) -> TreeFuzzer<NotesRouter<Child>> {
    TreeFuzzer { NotesRouter(interactor: ScreenInteractor()) }
      .action("open note") { await $0.openNote() }
      .action("close note") { await $0.closeNote() }
      .invariant("a draft that was left is saved") { await $0.drafts.saved == $0.written }
  }

  static let canary = Canary(
    "saved too late", reaching: "a draft is saved when its screen goes",
    breaks: "L6: a bound task ends with its scope",
    verdict: "Broken at rest: a draft that was left is saved",
    buggy: fuzzer(Buggy.self), repaired: fuzzer(Repaired.self))
}
