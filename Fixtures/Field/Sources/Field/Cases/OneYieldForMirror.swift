// SPDX-License-Identifier: Apache-2.0

// A view model mirrors the status of its backend in a task that reads a stream. A test emits a status, yields once, and
// looks at the text: a yield does not say that the mirror has read.
//
// The bug is in the test. The repair waits until the mirror has handled the status.
extension Case {
  static let oneYieldForMirror = Case(
    "one-yield-for-mirror", of: "T0mSIlver/localvoxtral 76", .plain, .lifecycle, decides: "mirror"
  ) {
    let (statuses, backend) = AsyncStream.makeStream(of: String.self)
    let model = await DictationModel(statuses)
    await model.mirror()
    backend.yield("Downloading the model")
    if Version.current == .after { await model.handled(1) } else { await Task.yield() }
    let text = await model.text
    backend.finish()
    try expect(text == "Downloading the model", "the text is the status: \(text)")
  }
}

@MainActor private final class DictationModel {
  private let statuses: AsyncStream<String>
  private(set) var text = "Installing the backend"
  private var task: Task<Void, Never>?
  private var count = 0
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ statuses: AsyncStream<String>) { self.statuses = statuses }

  func mirror() {
    let statuses = statuses
    task = Task { [weak self] in
      for await status in statuses { self?.show(status) }
    }
  }

  private func show(_ status: String) {
    text = status
    count += 1
    waiting?.resume()
    waiting = nil
  }

  /// Ends when that number of statuses was shown.
  func handled(_ number: Int) async {
    if count < number { await withCheckedContinuation { waiting = $0 } }
  }
}
