// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

// The code of the page, as it stands there.

nonisolated protocol Outbox: Sendable {
  func changes() -> AsyncStream<String>
  func upload(_ change: String) async throws
}

final actor Sync: Worker {
  private let outbox: any Outbox
  private(set) var failed: [String] = []

  init(outbox: any Outbox) { self.outbox = outbox }

  func run() async {
    for await change in outbox.changes() {
      do { try await outbox.upload(change) } catch { failed.append(change) }
    }
  }
}

final actor NotesInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let sync: Sync

  init(sync: Sync) { self.sync = sync }

  func didBecomeActive() async { start(sync) }
}

nonisolated protocol NotesDependency: Dependency {
  var outbox: any Outbox { get }
}

final class NotesComponent: Component<any NotesDependency>, @unchecked Sendable {
  var sync: Sync { shared { Sync(outbox: dependency.outbox) } }
}

func whileRunning(_ sync: Sync, _ body: () async -> Void) async {
  let run = Task { await sync.run() }
  await body()
  run.cancel()
  await run.value
}

private nonisolated final class NotesRoot: NotesDependency {
  let outbox: any Outbox
  init(outbox: any Outbox) { self.outbox = outbox }
}

private nonisolated final class OutboxMock: Outbox {
  let uploads = Recorder<String>()
  private let broadcast: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  init() { (broadcast, continuation) = AsyncStream<String>.makeStream() }
  func changes() -> AsyncStream<String> { broadcast }
  func upload(_ change: String) async throws { uploads.record(change) }
  func send(_ change: String) { continuation.yield(change) }
}

@Suite(.leakChecked) struct WorkersArticle {
  @Test func `the worker runs while its napkin is active`() async {
    let outbox = OutboxMock()
    let sync = NotesComponent(dependency: NotesRoot(outbox: outbox)).sync
    let notes = NotesInteractor(sync: sync)
    await notes.activate()
    outbox.send("a line")
    #expect(await outbox.uploads.events(atLeast: 1) == ["a line"])
    #expect(await sync.failed == [])
    await notes.deactivate()
  }

  @Test(.interleavings(300, seed: 1)) func `the worker by itself needs no interactor`() async {
    let outbox = OutboxMock()
    await whileRunning(Sync(outbox: outbox)) {
      outbox.send("a line")
      _ = await outbox.uploads.events(atLeast: 1)
    }
  }
}
